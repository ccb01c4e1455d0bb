#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <QtTest>

#include "base/cancel.h"
#include "nn/attention.h"
#include "nn/transformer.h"
#include "support/errors.h"

using namespace attnscope;
using namespace attnscope::nn;

namespace {

// A module with two inputs, so that argument positions matter: a + 2 b.
class Sum final : public Callable<at::Tensor(const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a sum";
  std::string_view class_name() const override { return "Sum"; }

 protected:
  at::Tensor forward(const at::Tensor& a, const at::Tensor& b) override { return a + 2 * b; }
};

std::shared_ptr<BasicTransformerBlock> make_block() {
  TransformerConfig config;
  config.channels = 8;
  config.heads = 2;
  config.cross_attention_dim = 6;
  auto block = std::make_shared<BasicTransformerBlock>(config);
  block->init_random(1);
  return block;
}

}  // namespace

class TestHooks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void runInOrderAndReplaceValues() {
    Sum sum;
    std::vector<int> order;
    const auto first = sum.register_forward_pre_hook([&](Module&, const Values& args) -> std::optional<Values> {
      order.push_back(1);
      return Values{args[0] * 10, args[1]};
    });
    const auto earlier = sum.register_forward_pre_hook(
        [&](Module&, const Values&) -> std::optional<Values> {
          order.push_back(0);
          return std::nullopt;
        },
        true);
    const auto after =
        sum.register_forward_hook([&](Module&, const Values& args, const Values& results) -> std::optional<Values> {
          order.push_back(2);
          return Values{results[0] + args[0]};  // sees the arguments as forward got them
        });
    const at::Tensor result = sum(at::ones({1}), at::ones({1}));
    QCOMPARE(order, (std::vector<int>{0, 1, 2}));
    QCOMPARE(result.item<double>(), 10 + 2 + 10.0);
    QCOMPARE(sum.hook_count(), std::size_t{3});
  }

  void handleRemovesAndMayOutliveTheModule() {
    HookHandle handle;
    {
      Sum sum;
      handle = sum.register_forward_hook([](Module&, const Values&, const Values&) { return std::nullopt; });
      QVERIFY(handle.attached());
      handle.remove();
      handle.remove();
      QCOMPARE(sum.hook_count(), std::size_t{0});
      handle = sum.register_forward_hook([](Module&, const Values&, const Values&) { return std::nullopt; });
    }
    QVERIFY(!handle.attached());
  }

  void aHookAddedDuringACallWaitsForTheNext() {
    Sum sum;
    int late = 0;
    std::vector<HookHandle> added;
    const auto hook =
        sum.register_forward_hook([&](Module& module, const Values&, const Values&) -> std::optional<Values> {
          if (added.empty())
            added.push_back(
                module.register_forward_hook([&](Module&, const Values&, const Values&) -> std::optional<Values> {
                  ++late;
                  return std::nullopt;
                }));
          return std::nullopt;
        });
    sum(at::ones({1}), at::ones({1}));
    QCOMPARE(late, 0);
    sum(at::ones({1}), at::ones({1}));
    QCOMPARE(late, 1);
  }

  void wrongNumberOfValuesIsAnError() {
    Sum sum;
    const auto hook = sum.register_forward_pre_hook([](Module&, const Values&) { return Values{}; });
    VERIFY_THROWS(Error, sum(at::ones({1}), at::ones({1})), "Sum", "0 values", "2 needed");
  }

  void aThrowingHookLeavesTheModuleUsable() {
    Sum sum;
    {
      const auto hook = sum.register_forward_hook(
          [](Module&, const Values&, const Values&) -> std::optional<Values> { throw Error("on purpose"); });
      for (int i = 0; i < 100; ++i) VERIFY_THROWS(Error, sum(at::ones({1}), at::ones({1})), "on purpose");
    }
    QCOMPARE(sum.hook_count(), std::size_t{0});
    QCOMPARE(sum(at::ones({1}), at::ones({1})).item<double>(), 3.0);
  }

  void backwardHookSeesAndReplacesGradients() {
    Sum sum;
    const at::Tensor a = at::ones({1}).set_requires_grad(true), b = at::ones({1}).set_requires_grad(true);
    Values seen_args, seen_results;
    auto hook =
        sum.register_backward_hook([&](Module&, const Values& args, const Values& results) -> std::optional<Values> {
          seen_args = args;
          seen_results = results;
          return Values{args[0] * 7, args[1]};
        });
    (sum(a, b) * 3).sum().backward();
    QCOMPARE(seen_results.size(), std::size_t{1});
    QCOMPARE(seen_results[0].item<double>(), 3.0);
    QCOMPARE(seen_args[0].item<double>(), 3.0);
    QCOMPARE(seen_args[1].item<double>(), 6.0);
    QCOMPARE(a.grad().item<double>(), 21.0);
    QCOMPARE(b.grad().item<double>(), 6.0);
  }

  void backwardHookKeepsThePlacesOfArguments() {
    Sum sum;
    const at::Tensor a = at::ones({1}), b = at::ones({1}).set_requires_grad(true);
    Values seen;
    const auto hook =
        sum.register_backward_hook([&](Module&, const Values& args, const Values&) -> std::optional<Values> {
          seen = args;
          return std::nullopt;
        });
    sum(a, b).sum().backward();
    QCOMPARE(seen.size(), std::size_t{2});
    QVERIFY(!seen[0].defined());
    QCOMPARE(seen[1].item<double>(), 2.0);
  }

  void hooksOnAProcessorFire() {
    const auto block = make_block();
    int calls = 0;
    const auto hook = block->at("attn2.processor")
                          .register_forward_hook([&](Module&, const Values&, const Values&) -> std::optional<Values> {
                            ++calls;
                            return std::nullopt;
                          });
    (*block)(at::randn({1, 4, 8}), at::randn({1, 3, 6}));
    QCOMPARE(calls, 1);
  }

  void pathsReplaceAndRefuse() {
    const auto block = make_block();
    VERIFY_THROWS(Error, block->at("attn1.to_x"), "attn1.to_x", "to_q");
    VERIFY_THROWS(Error, block->replace("attn1", std::make_shared<Linear>(2, 2)), "attn1", "Linear", "an Attention");
    VERIFY_THROWS(Error, block->replace("", std::make_shared<Linear>(2, 2)), "itself");
    auto linear = std::make_shared<Linear>(8, 8, false);
    linear->weight.set(at::zeros({8, 8}));
    const auto old = block->replace("attn1.to_v", linear);
    QCOMPARE(old->class_name(), std::string_view("Linear"));
    QCOMPARE(&block->at("attn1.to_v"), linear.get());
  }

  void cancellationStopsInsideAModel() {
    const auto block = make_block();
    CancelToken token;
    const CancelScope scope(token);
    (*block)(at::randn({1, 4, 8}), at::randn({1, 3, 6}));
    token.cancel();
    VERIFY_THROWS(RunCancelled, (*block)(at::randn({1, 4, 8}), at::randn({1, 3, 6})), "cancelled");
  }

  void setAttnProcessorIsAllOrNothing() {
    const auto block = make_block();
    const auto before = attn_processors(*block);
    QCOMPARE(before.size(), std::size_t{2});
    const auto fused = std::make_shared<FusedAttnProcessor>();
    std::map<std::string, std::shared_ptr<AttnProcessor>> map{{"attn1.processor", fused}};
    VERIFY_THROWS(Error, set_attn_processor(*block, map), "attn2.processor", "missing");
    map["attn3.processor"] = fused;
    VERIFY_THROWS(Error, set_attn_processor(*block, map), "attn3.processor", "Did you mean");
    QCOMPARE(map.size(), std::size_t{2});  // the caller's map is its own
    QVERIFY(attn_processors(*block) == before);
    map.erase("attn3.processor");
    map["attn2.processor"] = fused;
    set_attn_processor(*block, map);
    QCOMPARE(attn_processors(*block)[1].second.get(), fused.get());
  }
};

QTEST_APPLESS_MAIN(TestHooks)
#include "tst_hooks.moc"
