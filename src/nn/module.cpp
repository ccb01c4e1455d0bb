#include "nn/module.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "base/error.h"

namespace attnscope::nn {

std::string join_path(std::string_view parent, std::string_view name) {
  std::string path(parent);
  if (!parent.empty() && !name.empty()) path += '.';
  return path += name;
}

Parameter::Parameter(Module& owner, std::string name, std::vector<int64_t> sizes, bool present)
    : name_(std::move(name)), sizes_(std::move(sizes)) {
  if (present) owner.parameters_.push_back(this);
}

void Parameter::set(at::Tensor tensor) {
  if (tensor.sizes() != at::IntArrayRef(sizes_)) {
    throw ShapeError("shape " + c10::str(tensor.sizes()) + " given, " + c10::str(at::IntArrayRef(sizes_)) + " needed",
                     name_);
  }
  tensor_ = std::move(tensor);
}

SlotBase::SlotBase(Module& owner, std::string name) : name_(std::move(name)) { owner.children_.push_back(this); }

void SlotBase::refuse(const Module& module, const char* needed) const {
  throw Error("a " + std::string(module.class_name()) + " does not fit here", name_,
              "This place needs " + std::string(needed) + ".");
}

Module::Module() = default;
Module::~Module() = default;

namespace {

template <class Visit>
void walk(Module& module, const std::string& path, const Visit& visit) {
  visit(path, module);
  for (auto& [name, child] : module.named_children()) walk(*child, join_path(path, name), visit);
}

}  // namespace

std::vector<std::pair<std::string, Module*>> Module::named_children() {
  std::vector<std::pair<std::string, Module*>> children;
  for (const SlotBase* slot : children_) {
    if (auto module = slot->module(); module && lists_child(*slot)) children.emplace_back(slot->name(), module.get());
  }
  return children;
}

std::vector<std::pair<std::string, Module*>> Module::named_modules() {
  std::vector<std::pair<std::string, Module*>> modules;
  walk(*this, {}, [&](const std::string& path, Module& module) { modules.emplace_back(path, &module); });
  return modules;
}

std::vector<std::pair<std::string, Parameter*>> Module::named_parameters() {
  std::vector<std::pair<std::string, Parameter*>> parameters;
  walk(*this, {}, [&](const std::string& path, Module& module) {
    for (Parameter* parameter : module.parameters_)
      parameters.emplace_back(join_path(path, parameter->name()), parameter);
  });
  return parameters;
}

Module* Module::find(std::string_view path) {
  if (path.empty()) return this;
  const auto dot = path.find('.');
  const std::string_view head = path.substr(0, dot);
  for (const SlotBase* slot : children_) {
    if (slot->name() != head) continue;
    const auto child = slot->module();
    if (!child) return nullptr;
    return dot == std::string_view::npos ? child.get() : child->find(path.substr(dot + 1));
  }
  return nullptr;
}

Module& Module::at(std::string_view path) {
  if (Module* module = find(path)) return *module;
  std::string_view known = path;
  while (!known.empty() && !find(known)) {
    const auto dot = known.rfind('.');
    known = dot == std::string_view::npos ? std::string_view{} : known.substr(0, dot);
  }
  std::string names;
  for (const auto& [name, child] : find(known)->named_children()) names += (names.empty() ? "" : ", ") + name;
  throw Error(
      "no such module", std::string(path),
      (known.empty() ? "The model" : std::string(known)) + " has: " + (names.empty() ? "no children" : names) + ".");
}

std::shared_ptr<Module> Module::replace(std::string_view path, std::shared_ptr<Module> module) {
  if (path.empty()) throw Error("the model itself cannot be replaced, only a module inside it");
  const auto dot = path.rfind('.');
  const bool nested = dot != std::string_view::npos;
  Module& parent = at(nested ? path.substr(0, dot) : std::string_view{});
  const std::string_view name = nested ? path.substr(dot + 1) : path;
  for (SlotBase* slot : parent.children_) {
    if (slot->name() == name && slot->module()) return slot->replace(std::move(module));
  }
  at(path);  // says what is there instead
  throw Error("no such module", std::string(path));
}

void Module::to(std::optional<c10::Device> device, std::optional<c10::ScalarType> dtype) {
  for (auto& [path, parameter] : named_parameters()) {
    const at::Tensor& tensor = *parameter;
    if (!tensor.defined()) continue;
    const bool converts = dtype && tensor.is_floating_point();
    parameter->set(tensor.to(device.value_or(tensor.device()), converts ? *dtype : tensor.scalar_type()));
  }
}

c10::Device Module::device() {
  for (auto& [path, parameter] : named_parameters())
    if (parameter->tensor().defined()) return parameter->tensor().device();
  return at::kCPU;
}

c10::ScalarType Module::dtype() {
  for (auto& [path, parameter] : named_parameters())
    if (parameter->tensor().defined()) return parameter->tensor().scalar_type();
  return at::kFloat;
}

void Module::requires_grad(bool on) {
  for (auto& [path, parameter] : named_parameters())
    if (parameter->tensor().defined()) parameter->tensor().set_requires_grad(on);
}

int64_t Module::parameter_bytes() {
  int64_t bytes = 0;
  for (auto& [path, parameter] : named_parameters())
    if (parameter->tensor().defined()) bytes += static_cast<int64_t>(parameter->tensor().nbytes());
  return bytes;
}

void Module::init_random(uint64_t seed) {
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  for (auto& [path, parameter] : named_parameters()) {
    if (parameter->tensor().defined()) continue;
    const bool norm_weight = parameter->name() == "weight" && parameter->sizes().size() == 1;
    parameter->set(norm_weight ? at::ones(parameter->sizes()) : at::randn(parameter->sizes(), generator).mul_(0.02));
  }
}

HookHandle Module::add_hook(HookKind kind, AnyHook hook, bool prepend) {
  if (!hooks_) hooks_ = std::make_shared<HookTable>();
  return HookHandle(hooks_, kind, hooks_->add(kind, std::move(hook), prepend));
}

HookHandle Module::register_forward_pre_hook(ForwardPreHook hook, bool prepend) {
  return add_hook(HookKind::forward_pre, AnyHook(std::in_place_index<0>, std::move(hook)), prepend);
}

HookHandle Module::register_forward_hook(ForwardHook hook, bool prepend) {
  return add_hook(HookKind::forward, AnyHook(std::in_place_index<1>, std::move(hook)), prepend);
}

HookHandle Module::register_backward_hook(BackwardHook hook, bool prepend) {
  return add_hook(HookKind::backward, AnyHook(std::in_place_index<2>, std::move(hook)), prepend);
}

std::size_t Module::hook_count() const { return hooks_ ? hooks_->size() : 0; }

}  // namespace attnscope::nn
