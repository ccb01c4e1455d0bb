#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace attnscope::nn {

class Module;

// A call's arguments or results as hooks see them, in order; None is an undefined tensor, lists are flattened.
using Values = std::vector<at::Tensor>;

// Before forward. A returned list (same length) replaces the arguments.
using ForwardPreHook = std::function<std::optional<Values>(Module&, const Values& args)>;
// After forward. A returned list (same length) replaces the results.
using ForwardHook = std::function<std::optional<Values>(Module&, const Values& args, const Values& results)>;
// After the gradients with respect to the module's arguments are there (undefined for an argument that needs none).
// A returned list (same length) replaces grad_args.
using BackwardHook = std::function<std::optional<Values>(Module&, const Values& grad_args, const Values& grad_results)>;

enum class HookKind { forward_pre, forward, backward };
// By HookKind's position, since the last two have the same signature.
using AnyHook = std::variant<ForwardPreHook, ForwardHook, BackwardHook>;

// The hooks of one module, in call order. Each phase of a call walks a snapshot taken when the phase starts, so a
// hook may add or remove hooks while it runs. Exceptions of a hook pass through.
class HookTable {
 public:
  struct Entry {
    uint64_t id;
    AnyHook hook;
  };
  using List = std::vector<std::shared_ptr<const Entry>>;

  bool empty() const { return size() == 0; }
  std::size_t size() const;
  const List& list(HookKind kind) const { return lists_[static_cast<int>(kind)]; }
  uint64_t add(HookKind kind, AnyHook hook, bool prepend);
  void remove(HookKind kind, uint64_t id);

 private:
  List lists_[3];
  uint64_t next_id_ = 1;
};

// Owns one attached hook and removes it when destroyed; outliving the module is harmless.
class HookHandle {
 public:
  HookHandle() = default;
  HookHandle(std::weak_ptr<HookTable> table, HookKind kind, uint64_t id);
  HookHandle(HookHandle&& other) noexcept;
  HookHandle& operator=(HookHandle&& other) noexcept;
  ~HookHandle() { remove(); }

  void remove();  // a second call does nothing
  bool attached() const;

 private:
  std::weak_ptr<HookTable> table_;
  HookKind kind_ = HookKind::forward;
  uint64_t id_ = 0;
};

// One hooked call of a module: Callable drives it.
class HookedCall {
 public:
  HookedCall(Module& module, HookTable& table) : module_(module), table_(table) {}
  void before(Values& args);
  void after(const Values& args, Values& results);

 private:
  Module& module_;
  HookTable& table_;
  std::shared_ptr<struct BackwardCall> backward_;
};

}  // namespace attnscope::nn
