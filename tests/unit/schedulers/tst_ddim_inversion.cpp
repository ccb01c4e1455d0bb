#include "schedulers/ddim_inversion.h"

#include <ATen/ATen.h>

#include <QtTest>

#include "support/errors.h"
#include "support/golden.h"

using namespace attnscope;
using attnscope::testing::Golden;

namespace {

std::unique_ptr<Scheduler> ddim(const std::string& prediction_type = "epsilon", bool set_alpha_to_one = false,
                                const std::string& spacing = "leading") {
  return make_scheduler({{"_class_name", "DDIMScheduler"},
                         {"beta_start", 0.00085},
                         {"beta_end", 0.012},
                         {"beta_schedule", "scaled_linear"},
                         {"clip_sample", false},
                         {"steps_offset", 1},
                         {"set_alpha_to_one", set_alpha_to_one},
                         {"prediction_type", prediction_type},
                         {"timestep_spacing", spacing}},
                        "scheduler_config.json");
}

// Stands for a network: depends on the latents and on the timestep.
at::Tensor network(const at::Tensor& latents, double timestep) {
  return at::tanh(latents * 0.7 + timestep / 1000) + 0.1 * latents;
}

}  // namespace

class TestDdimInversion : public QObject {
  Q_OBJECT

 private:
  Golden golden_{"schedulers"};

 private Q_SLOTS:
  void equals_diffusers() {
    const auto inverse = make_inverse_scheduler(*ddim());
    inverse->set_timesteps(10);
    const at::Tensor outputs = golden_["ddim_inverse_sd15/model_outputs"];
    const at::Tensor expected = golden_["ddim_inverse_sd15/expect/samples"];
    const at::Tensor start = golden_["ddim_inverse_sd15/sample"];
    std::vector<double> asked;
    const auto levels = ddim_invert(*inverse, start, [&](const at::Tensor&, std::size_t i, double timestep) {
      asked.push_back(timestep);
      return outputs[static_cast<int64_t>(i)];
    });
    QCOMPARE(levels.size(), std::size_t{11});
    QVERIFY(levels[0].is_same(start));
    for (std::size_t k = 1; k <= 10; ++k) COMPARE_TENSORS(levels[k], expected[static_cast<int64_t>(k) - 1], 1e-6);
    QCOMPARE(asked, (std::vector<double>{1, 101, 201, 301, 401, 501, 601, 701, 801, 901}));
  }

  // The update written out in double: x <- sqrt(ᾱ_t) (x - sqrt(1-ᾱ_p) eps) / sqrt(ᾱ_p) + sqrt(1-ᾱ_t) eps, p = t - 20,
  // ᾱ_0 below 0, eps = sqrt(ᾱ_p) v + sqrt(1-ᾱ_p) x for models that predict v.
  void follows_the_formula_data() {
    QTest::addColumn<bool>("v");
    QTest::newRow("epsilon") << false;
    QTest::newRow("v_prediction") << true;
  }
  void follows_the_formula() {
    QFETCH(bool, v);
    const auto inverse = make_inverse_scheduler(*ddim(v ? "v_prediction" : "epsilon"));
    inverse->set_timesteps(50);
    QCOMPARE(inverse->timesteps().front(), 1.0);
    QCOMPARE(inverse->timesteps().back(), 981.0);
    const at::Tensor start = golden_["ddim_inverse_sd15/sample"];
    std::size_t reported = 0;
    const auto levels = ddim_invert(
        *inverse, start, [](const at::Tensor& x, std::size_t, double t) { return network(x, t); },
        [&](std::size_t i, const at::Tensor& x) { reported += i == reported && x.defined(); });
    QCOMPARE(reported, std::size_t{50});

    const at::Tensor alphas = golden_["alphas_cumprod/ddim_leading_epsilon"].to(at::kDouble);
    at::Tensor x = start.to(at::kDouble);
    for (int64_t k = 0; k < 50; ++k) {
      const int64_t t = 1 + 20 * k;
      const double to = alphas[t].item<double>();
      const double from = alphas[std::max<int64_t>(t - 20, 0)].item<double>();
      const at::Tensor output = network(x, static_cast<double>(t));
      const at::Tensor eps = v ? std::sqrt(from) * output + std::sqrt(1 - from) * x : output;
      x = std::sqrt(to) * (x - std::sqrt(1 - from) * eps) / std::sqrt(from) + std::sqrt(1 - to) * eps;
      COMPARE_TENSORS(levels[static_cast<std::size_t>(k) + 1], x, 1e-5);
    }
  }

  // Denoising undoes it exactly when the network answers the same both ways.
  void ddim_steps_lead_back_data() {
    QTest::addColumn<QString>("prediction");
    QTest::addColumn<bool>("to_one");
    QTest::addColumn<QString>("spacing");
    for (const bool to_one : {false, true}) {
      for (const char* spacing : {"leading", "trailing"}) {
        QTest::addRow("epsilon %s %d", spacing, to_one) << "epsilon" << to_one << spacing;
        QTest::addRow("v %s %d", spacing, to_one) << "v_prediction" << to_one << spacing;
      }
    }
    QTest::newRow("linspace is accepted") << "epsilon" << false << "linspace";
  }
  void ddim_steps_lead_back() {
    QFETCH(QString, prediction);
    QFETCH(bool, to_one);
    QFETCH(QString, spacing);
    const bool v = prediction == "v_prediction";
    const auto forward = ddim(prediction.toStdString(), to_one, spacing.toStdString());
    const auto inverse = make_inverse_scheduler(*forward);
    forward->set_timesteps(20);
    inverse->set_timesteps(20);
    const at::Tensor start = golden_["ddim_inverse_sd15/sample"];
    const at::Tensor eps = golden_["ddim_inverse_sd15/model_outputs"][0];
    // v that stands for the same eps at ᾱ: (eps - sqrt(1-ᾱ) x) / sqrt(ᾱ)
    const auto answer = [&](const at::Tensor& x, const at::Tensor& alpha) {
      return v ? (eps - (1 - alpha).sqrt() * x) / alpha.sqrt() : eps;
    };
    const at::Tensor& alphas = forward->alphas_cumprod();
    const auto levels = ddim_invert(*inverse, start, [&](const at::Tensor& x, std::size_t, double t) {
      const int64_t from = static_cast<int64_t>(t) - 50;
      const at::Tensor end = to_one ? at::ones({}) : alphas[0];
      return answer(x, from >= 0 ? alphas[from] : end);
    });
    QCOMPARE(levels.size(), std::size_t{21});
    if (spacing == "linspace") return;  // steps of a fixed size between timesteps that are not: no exact inverse
    at::Tensor x = levels.back();
    for (std::size_t i = 0; i < 20; ++i) {
      const at::Tensor alpha = alphas[static_cast<int64_t>(forward->timesteps()[i])];
      x = forward->step(answer(x, alpha), i, x);
      COMPARE_TENSORS(x, levels[19 - i], 2e-5);
    }
  }

  void wrong_use_is_named() {
    const auto forward = ddim();
    const auto inverse = make_inverse_scheduler(*forward);
    const auto model = [](const at::Tensor& x, std::size_t, double) { return x; };
    VERIFY_THROWS(Error, ddim_invert(*inverse, at::zeros({1}), model), "set_timesteps");
    forward->set_timesteps(2);
    VERIFY_THROWS(Error, ddim_invert(*forward, at::zeros({1}), model), "DDIMInverseScheduler");
  }
};

QTEST_APPLESS_MAIN(TestDdimInversion)
#include "tst_ddim_inversion.moc"
