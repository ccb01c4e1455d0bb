#pragma once
#include <tuple>
#include <type_traits>

#include "nn/module.h"

namespace attnscope::nn {

// How hooks see typed arguments: append() flattens a value's tensors, take() reads them back in the same order.
// Types that hold no tensor (an int, a reference to a module) are passed by. Structs of tensors add overloads.
inline void append(Values& values, const at::Tensor& tensor) { values.push_back(tensor); }
inline void append(Values& values, const std::vector<at::Tensor>& tensors) {
  values.insert(values.end(), tensors.begin(), tensors.end());
}
inline void take(at::Tensor& tensor, const at::Tensor*& next) { tensor = *next++; }
inline void take(std::vector<at::Tensor>& tensors, const at::Tensor*& next) {
  for (at::Tensor& tensor : tensors) tensor = *next++;
}
template <class T>
requires(!std::is_class_v<std::remove_cvref_t<T>> || std::is_base_of_v<Module, std::remove_cvref_t<T>> ||
         std::is_same_v<std::remove_cvref_t<T>, std::vector<int64_t>>) void append(Values&, const T&) {}
template <class T>
requires(!std::is_class_v<T> || std::is_base_of_v<Module, T> ||
         std::is_same_v<T, std::vector<int64_t>>) void take(T&, const at::Tensor*&) {}

void check_hook_values(const Module& module, std::size_t given, std::size_t expected);

// A module that can be called as R(A...). Callers use operator(), which runs the hooks; classes implement forward.
template <class Signature>
class Callable;

template <class R, class... A>
class Callable<R(A...)> : public Module {
 public:
  R operator()(A... args) {
    if (!hooked()) [[likely]]
      return forward(std::forward<A>(args)...);
    return hooked_call(std::forward<A>(args)...);
  }

 protected:
  virtual R forward(A... args) = 0;

 private:
  // const T& arguments are copied, since hooks may replace them; T& stays a reference.
  template <class T>
  using Held = std::conditional_t<std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>, T,
                                  std::decay_t<T>>;

  R hooked_call(A... args) {
    std::tuple<Held<A>...> held(std::forward<A>(args)...);
    Values values;
    std::apply([&](auto&... a) { (append(values, a), ...); }, held);
    HookedCall call(*this, hooks());
    call.before(values);
    const at::Tensor* next = values.data();
    std::apply([&](auto&... a) { (take(a, next), ...); }, held);
    R result = std::apply([this](auto&... a) { return forward(a...); }, held);
    Values results;
    append(results, result);
    call.after(values, results);
    next = results.data();
    take(result, next);
    return result;
  }
};

// Tensor to tensor: linear layers, convolutions, norms, activations.
class UnaryModule : public Callable<at::Tensor(const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a module that maps one tensor to one tensor";
};

}  // namespace attnscope::nn
