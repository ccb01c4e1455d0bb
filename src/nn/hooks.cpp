#include "nn/hooks.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/grad_mode.h>

#include "base/error.h"
#include "nn/callable.h"

namespace attnscope::nn {

std::size_t HookTable::size() const { return lists_[0].size() + lists_[1].size() + lists_[2].size(); }

uint64_t HookTable::add(HookKind kind, AnyHook hook, bool prepend) {
  List& list = lists_[static_cast<int>(kind)];
  auto entry = std::make_shared<const Entry>(Entry{next_id_, std::move(hook)});
  list.insert(prepend ? list.begin() : list.end(), std::move(entry));
  return next_id_++;
}

void HookTable::remove(HookKind kind, uint64_t id) {
  std::erase_if(lists_[static_cast<int>(kind)], [id](const auto& entry) { return entry->id == id; });
}

HookHandle::HookHandle(std::weak_ptr<HookTable> table, HookKind kind, uint64_t id)
    : table_(std::move(table)), kind_(kind), id_(id) {}

HookHandle::HookHandle(HookHandle&& other) noexcept
    : table_(std::move(other.table_)), kind_(other.kind_), id_(std::exchange(other.id_, 0)) {}

HookHandle& HookHandle::operator=(HookHandle&& other) noexcept {
  if (this != &other) {
    remove();
    table_ = std::move(other.table_);
    kind_ = other.kind_;
    id_ = std::exchange(other.id_, 0);
  }
  return *this;
}

void HookHandle::remove() {
  if (auto table = table_.lock(); table && id_) table->remove(kind_, id_);
  table_.reset();
  id_ = 0;
}

bool HookHandle::attached() const { return id_ != 0 && !table_.expired(); }

void check_hook_values(const Module& module, std::size_t given, std::size_t expected) {
  if (given == expected) return;
  throw Error("a hook returned " + std::to_string(given) + " values, " + std::to_string(expected) + " needed",
              std::string(module.class_name()));
}

// What a call must remember until its backward pass. Gradients of the results arrive first, then those of the
// arguments; when no argument needs a gradient the hooks run on the former (as PyTorch's full backward hooks do).
struct BackwardCall {
  Module& module;
  HookTable::List hooks;
  bool args_need_grad = false;
  std::vector<bool> arg_passed;  // needs a gradient, so went through ArgsIdentity
  Values grad_results;

  // Gradients of the passed arguments in, the same out; hooks see all arguments in their places.
  Values run(const Values& grads) const {
    Values grad_args(arg_passed.size());
    for (std::size_t i = 0, next = 0; i < arg_passed.size() && next < grads.size(); ++i)
      if (arg_passed[i]) grad_args[i] = grads[next++];
    for (const auto& entry : hooks) {
      if (auto replaced = std::get<2>(entry->hook)(module, grad_args, grad_results)) {
        check_hook_values(module, replaced->size(), grad_args.size());
        grad_args = std::move(*replaced);
      }
    }
    Values result;
    for (std::size_t i = 0; i < arg_passed.size(); ++i)
      if (arg_passed[i]) result.push_back(grad_args[i]);
    return result;
  }
};

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// AutogradContext stores only IValues, so the call travels in a capsule.
struct CallHolder : torch::CustomClassHolder {
  std::shared_ptr<BackwardCall> call;
};

std::shared_ptr<BackwardCall> held_call(AutogradContext* context) {
  return c10::static_intrusive_pointer_cast<CallHolder>(context->saved_data["call"].toCapsule())->call;
}

void hold_call(AutogradContext* context, std::shared_ptr<BackwardCall> call) {
  auto holder = c10::make_intrusive<CallHolder>();
  holder->call = std::move(call);
  context->saved_data["call"] = c10::IValue::make_capsule(std::move(holder));
}

struct ArgsIdentity : Function<ArgsIdentity> {
  static variable_list forward(AutogradContext* context, std::shared_ptr<BackwardCall> call, at::TensorList args) {
    hold_call(context, std::move(call));
    return args.vec();
  }
  static variable_list backward(AutogradContext* context, variable_list grads) {
    Values replaced = held_call(context)->run(std::move(grads));
    replaced.insert(replaced.begin(), at::Tensor());  // for the call itself
    return replaced;
  }
};

struct ResultsIdentity : Function<ResultsIdentity> {
  static variable_list forward(AutogradContext* context, std::shared_ptr<BackwardCall> call, at::TensorList results) {
    hold_call(context, std::move(call));
    return results.vec();
  }
  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto call = held_call(context);
    call->grad_results = grads;
    if (!call->args_need_grad) call->run(Values{});
    grads.insert(grads.begin(), at::Tensor());
    return grads;
  }
};

// Runs `Identity` over the tensors of `values` that need a gradient, leaving the others as they are.
template <class Identity>
void through(Values& values, const std::shared_ptr<BackwardCall>& call) {
  const auto passes = [](const at::Tensor& value) { return value.defined() && value.requires_grad(); };
  variable_list passed;
  for (const at::Tensor& value : values)
    if (passes(value)) passed.push_back(value);
  if (passed.empty()) return;
  // A TensorList, because apply() does not look for tensors in a std::vector.
  const variable_list results = Identity::apply(call, at::TensorList(passed));
  auto next = results.begin();
  for (at::Tensor& value : values)
    if (passes(value)) value = *next++;
}

}  // namespace

void HookedCall::before(Values& args) {
  const HookTable::List snapshot = table_.list(HookKind::forward_pre);
  for (const auto& entry : snapshot) {
    if (auto replaced = std::get<0>(entry->hook)(module_, args)) {
      check_hook_values(module_, replaced->size(), args.size());
      args = std::move(*replaced);
    }
  }
  const HookTable::List& backward = table_.list(HookKind::backward);
  if (backward.empty() || !at::GradMode::is_enabled()) return;
  backward_ = std::make_shared<BackwardCall>(BackwardCall{module_, backward});
  for (const at::Tensor& arg : args) {
    backward_->arg_passed.push_back(arg.defined() && arg.requires_grad());
    backward_->args_need_grad |= backward_->arg_passed.back();
  }
  if (backward_->args_need_grad) through<ArgsIdentity>(args, backward_);
}

void HookedCall::after(const Values& args, Values& results) {
  const HookTable::List snapshot = table_.list(HookKind::forward);
  for (const auto& entry : snapshot) {
    if (auto replaced = std::get<1>(entry->hook)(module_, args, results)) {
      check_hook_values(module_, replaced->size(), results.size());
      results = std::move(*replaced);
    }
  }
  if (backward_) through<ResultsIdentity>(results, backward_);
}

}  // namespace attnscope::nn
