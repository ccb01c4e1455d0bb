#pragma once
#include <ATen/core/Tensor.h>

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/hooks.h"

namespace attnscope::nn {

class Module;

// A named tensor of a module. It has a shape from construction on; its storage comes from a loader or init.
class Parameter {
 public:
  // `present` false: the module was built without it (a Linear without bias); it is then not listed anywhere.
  Parameter(Module& owner, std::string name, std::vector<int64_t> sizes, bool present = true);
  Parameter(const Parameter&) = delete;
  Parameter& operator=(const Parameter&) = delete;

  operator const at::Tensor&() const { return tensor_; }
  const at::Tensor& tensor() const { return tensor_; }
  const std::string& name() const { return name_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }

  // Throws ShapeError unless the shape fits.
  void set(at::Tensor tensor);

 private:
  std::string name_;
  std::vector<int64_t> sizes_;
  at::Tensor tensor_;
};

// The untyped side of Slot.
class SlotBase {
 public:
  SlotBase(Module& owner, std::string name);
  virtual ~SlotBase() = default;
  SlotBase(const SlotBase&) = delete;
  SlotBase& operator=(const SlotBase&) = delete;

  const std::string& name() const { return name_; }
  virtual std::shared_ptr<Module> module() const = 0;
  // Puts another module in; throws Error when it does not have the interface this slot needs. Returns the old one.
  virtual std::shared_ptr<Module> replace(std::shared_ptr<Module> module) = 0;

 protected:
  [[noreturn]] void refuse(const Module& module, const char* needed) const;

 private:
  std::string name_;
};

// Base of every layer: ordered named children in replaceable slots, parameters, hooks. Paths are PyTorch's
// ("down_blocks.0.attentions.1"), the empty path is the module itself.
class Module {
 public:
  Module();
  virtual ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // The class name diffusers / transformers / PyTorch uses.
  virtual std::string_view class_name() const = 0;

  // PyTorch's order: depth first, self before children, children as registered.
  std::vector<std::pair<std::string, Module*>> named_modules();
  std::vector<std::pair<std::string, Parameter*>> named_parameters();
  std::vector<std::pair<std::string, Module*>> named_children();

  // nullptr when there is none.
  Module* find(std::string_view path);
  // Throws Error that names the longest part of the path that exists.
  Module& at(std::string_view path);
  // Puts `module` at `path` and returns what was there. Throws Error for an unknown path or an unfit module.
  std::shared_ptr<Module> replace(std::string_view path, std::shared_ptr<Module> module);

  // Moves and converts every parameter; an undefined dtype or device keeps what is there.
  void to(std::optional<c10::Device> device, std::optional<c10::ScalarType> dtype);
  // The first parameter's device and dtype (CPU float32 when there are none).
  c10::Device device();
  c10::ScalarType dtype();
  void requires_grad(bool on);
  int64_t parameter_bytes();
  // Gives every parameter that has no storage values N(0, 0.02²) from a seeded CPU generator (1 for norm weights).
  void init_random(uint64_t seed);

  HookHandle register_forward_pre_hook(ForwardPreHook hook, bool prepend = false);
  HookHandle register_forward_hook(ForwardHook hook, bool prepend = false);
  HookHandle register_backward_hook(BackwardHook hook, bool prepend = false);
  // Hooks attached to this module (not to its children).
  std::size_t hook_count() const;

 protected:
  // One branch is all that a call costs while nothing is attached.
  bool hooked() const { return hooks_ != nullptr && !hooks_->empty(); }
  HookTable& hooks() { return *hooks_; }
  // A child that PyTorch would not list, because diffusers keeps it as a plain object (attention processors).
  virtual bool lists_child(const SlotBase& slot) const { return true; }

 private:
  friend class Parameter;
  friend class SlotBase;
  HookHandle add_hook(HookKind kind, AnyHook hook, bool prepend);

  std::vector<Parameter*> parameters_;
  std::vector<SlotBase*> children_;
  std::shared_ptr<HookTable> hooks_;
};

// A child of type T under a name. Empty slots are not listed.
template <class T>
class Slot final : public SlotBase {
 public:
  Slot(Module& owner, std::string name, std::shared_ptr<T> module = nullptr)
      : SlotBase(owner, std::move(name)), module_(std::move(module)) {}

  void set(std::shared_ptr<T> module) { module_ = std::move(module); }
  explicit operator bool() const { return module_ != nullptr; }
  T& operator*() const { return *module_; }
  T* operator->() const { return module_.get(); }
  const std::shared_ptr<T>& pointer() const { return module_; }

  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return (*module_)(std::forward<Args>(args)...);
  }

  std::shared_ptr<Module> module() const override { return module_; }
  std::shared_ptr<Module> replace(std::shared_ptr<Module> module) override {
    auto typed = std::dynamic_pointer_cast<T>(module);
    if (!typed) refuse(*module, T::kInterface);
    return std::exchange(module_, std::move(typed));
  }

 private:
  std::shared_ptr<T> module_;
};

// Children named "0", "1", …
template <class T>
class ModuleList final : public Module {
 public:
  static constexpr const char* kInterface = "ModuleList";
  std::string_view class_name() const override { return "ModuleList"; }

  void append(std::shared_ptr<T> module) {
    slots_.emplace_back(*this, std::to_string(slots_.size()), std::move(module));
  }
  std::size_t size() const { return slots_.size(); }
  Slot<T>& operator[](std::size_t index) { return slots_[index]; }
  auto begin() { return slots_.begin(); }
  auto end() { return slots_.end(); }

 private:
  std::deque<Slot<T>> slots_;
};

std::string join_path(std::string_view parent, std::string_view name);

}  // namespace attnscope::nn
