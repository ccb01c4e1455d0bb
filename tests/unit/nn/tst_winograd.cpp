#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <QtTest>

#include "nn/layers.h"
#include "nn/winograd.h"

using namespace attnscope::nn;

namespace {

// Largest difference relative to the largest value.
double difference(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).abs().max() / b.abs().max()).item<double>();
}

}  // namespace

class TestWinograd : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalsTheDirectConvolution_data() {
    QTest::addColumn<QList<int>>("size");  // N, C, K, H, W
    QTest::newRow("even") << QList<int>{2, 7, 5, 8, 12};
    QTest::newRow("odd height") << QList<int>{1, 3, 4, 9, 6};
    QTest::newRow("odd width") << QList<int>{3, 3, 4, 6, 9};
    QTest::newRow("odd both") << QList<int>{2, 16, 16, 17, 13};
    QTest::newRow("one pixel") << QList<int>{1, 2, 3, 1, 1};
    QTest::newRow("one row") << QList<int>{1, 2, 3, 1, 10};
    QTest::newRow("one column") << QList<int>{2, 2, 3, 7, 1};
    QTest::newRow("several blocks") << QList<int>{2, 320, 320, 64, 64};
    QTest::newRow("a block is a row") << QList<int>{1, 1280, 640, 5, 150};
  }

  void equalsTheDirectConvolution() {
    QFETCH(QList<int>, size);
    const c10::NoGradGuard no_grad;
    const at::Tensor input = at::randn({size[0], size[1], size[3], size[4]});
    const at::Tensor weight = at::randn({size[2], size[1], 3, 3}), bias = at::randn({size[2]});
    const at::Tensor exact = at::conv2d(input.to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble), 1, 1);
    QVERIFY(difference(winograd_conv2d(input, winograd_weight(weight), bias).to(at::kDouble), exact) < 2e-6);
    const at::Tensor without = at::conv2d(input.to(at::kDouble), weight.to(at::kDouble), {}, 1, 1);
    QVERIFY(difference(winograd_conv2d(input, winograd_weight(weight), {}).to(at::kDouble), without) < 2e-6);
  }

  void layersFollowTheirWeights() {
    const c10::NoGradGuard no_grad;
    Conv2d conv(256, 256, 3, 1, 1);
    conv.init_random(1);
    const at::Tensor input = at::randn({1, 256, 24, 24});
    const auto direct = [&] { return at::conv2d(input, conv.weight, conv.bias.tensor(), 1, 1); };
    QVERIFY(!at::equal(conv(input), direct()));  // another algorithm is at work …
    QVERIFY(difference(conv(input), direct()) < 2e-6);
    conv.weight.tensor().mul_(3);
    QVERIFY(difference(conv(input), direct()) < 2e-6);
    conv.weight.set(at::randn({256, 256, 3, 3}));
    QVERIFY(difference(conv(input), direct()) < 2e-6);
    QVERIFY(difference(conv(input.transpose(2, 3)),
                       at::conv2d(input.transpose(2, 3), conv.weight, conv.bias.tensor(), 1, 1)) < 2e-6);
  }

  void otherwiseLayersAreDirect() {
    Conv2d conv(256, 256, 3, 1, 1);
    conv.init_random(1);
    const at::Tensor input = at::randn({1, 256, 24, 24});
    conv.requires_grad(true);
    const at::Tensor result = conv(input);
    QVERIFY(result.requires_grad());
    QVERIFY(at::equal(result, at::conv2d(input, conv.weight, conv.bias.tensor(), 1, 1)));
    {
      const c10::InferenceMode inference;  // such weights do not count their changes
      conv.weight.set(at::randn({256, 256, 3, 3}));
      QVERIFY(at::equal(conv(input), at::conv2d(input, conv.weight, conv.bias.tensor(), 1, 1)));
    }
    const c10::NoGradGuard no_grad;
    Conv2d small(16, 16, 3, 1, 1);
    small.init_random(1);
    const at::Tensor few = at::randn({1, 16, 24, 24});
    QVERIFY(at::equal(small(few), at::conv2d(few, small.weight, small.bias.tensor(), 1, 1)));
    conv.to(std::nullopt, at::kBFloat16);
    QVERIFY(conv(input.to(at::kBFloat16)).scalar_type() == at::kBFloat16);
  }
};

QTEST_APPLESS_MAIN(TestWinograd)
#include "tst_winograd.moc"
