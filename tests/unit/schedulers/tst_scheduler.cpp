#include <ATen/ATen.h>

#include <QtTest>
#include <cmath>
#include <map>

#include "io/json_file.h"
#include "schedulers/random.h"
#include "schedulers/scheduler.h"
#include "support/errors.h"
#include "support/golden.h"

using namespace attnscope;
using attnscope::testing::Golden;

namespace {

constexpr double kTolerance = 1e-6;

nlohmann::json sd_config(const char* class_name) {
  return {{"_class_name", class_name},        {"beta_start", 0.00085}, {"beta_end", 0.012},
          {"beta_schedule", "scaled_linear"}, {"clip_sample", false},  {"steps_offset", 1}};
}

StepOptions step_options(const nlohmann::json& row) {
  StepOptions options;
  const nlohmann::json step = row.value("step", nlohmann::json::object());
  options.eta = step.value("eta", 0.0);
  options.use_clipped_model_output = step.value("use_clipped_model_output", false);
  options.s_churn = step.value("s_churn", 0.0);
  options.s_noise = step.value("s_noise", 1.0);
  if (row.contains("seed")) options.generator = cpu_generator(row["seed"].get<uint64_t>());
  return options;
}

}  // namespace

// Every case of tests/golden/schedulers.py against diffusers.
class TestScheduler : public QObject {
  Q_OBJECT

 private:
  Golden golden_{"schedulers"};
  std::map<std::string, nlohmann::json> rows_;

  std::unique_ptr<Scheduler> make(const nlohmann::json& row) {
    nlohmann::json config = row["config"];
    config["_class_name"] = row["class"];
    auto scheduler = make_scheduler(config, row["id"].get<std::string>());
    scheduler->set_timesteps(row["num_inference_steps"].get<int64_t>());
    return scheduler;
  }

  void add_rows(bool add_noise) {
    QTest::addColumn<QString>("id");
    for (const auto& [id, row] : rows_) {
      if (row.contains("kind") == add_noise) QTest::newRow(id.c_str()) << QString::fromStdString(id);
    }
  }

 private Q_SLOTS:
  void initTestCase() {
    for (const nlohmann::json& row : read_json_file(golden_.folder() + "/cases.json")) {
      rows_[row["id"].get<std::string>()] = row;
    }
    QVERIFY(rows_.size() > 100);
  }

  void steps_equal_diffusers_data() { add_rows(false); }
  void steps_equal_diffusers() {
    QFETCH(QString, id);
    const nlohmann::json& row = rows_.at(id.toStdString());
    const std::string at = id.toStdString() + "/";
    const auto scheduler = make(row);
    QCOMPARE(scheduler->class_name(), row["class"].get<std::string>());
    COMPARE_TENSORS(scheduler->alphas_cumprod(), golden_[row["alphas_cumprod"].get<std::string>()], kTolerance);
    const at::Tensor timesteps = golden_[at + "expect/timesteps"];
    QCOMPARE(scheduler->timesteps_tensor().scalar_type(), timesteps.scalar_type());
    COMPARE_TENSORS(scheduler->timesteps_tensor(), timesteps, timesteps.scalar_type() == at::kLong ? 0 : kTolerance);
    QCOMPARE(scheduler->sigmas().defined(), golden_.contains(at + "expect/sigmas"));
    if (scheduler->sigmas().defined()) {
      COMPARE_TENSORS(scheduler->sigmas(), golden_[at + "expect/sigmas"], kTolerance);
    }
    const double init_noise_sigma = row["init_noise_sigma"].get<double>();
    QVERIFY(std::abs(scheduler->init_noise_sigma() - init_noise_sigma) <= kTolerance * init_noise_sigma);

    const bool only_last = row.value("only_last", false);
    const at::Tensor outputs = golden_[at + "model_outputs"];
    const at::Tensor expected = golden_[at + "expect/samples"];
    const std::size_t first = only_last ? scheduler->timesteps().size() - 1 : 0;
    QCOMPARE(static_cast<std::size_t>(outputs.size(0)), scheduler->timesteps().size() - first);
    const StepOptions options = step_options(row);
    at::Tensor sample = golden_[at + "sample"];
    double largest = 0;  // of all samples so far: what they were rounded to stays in the small ones that follow
    for (int64_t k = 0; k < outputs.size(0); ++k) {
      const double now = sample.abs().max().item<double>();
      largest = std::max(largest, now);
      const std::size_t i = first + static_cast<std::size_t>(k);
      const at::Tensor scaled = scheduler->scale_model_input(sample, i);
      if (golden_.contains(at + "expect/scaled_inputs")) {
        COMPARE_TENSORS(scaled, golden_[at + "expect/scaled_inputs"][k], kTolerance * largest / now);
      } else {
        QVERIFY(scaled.is_same(sample));
      }
      sample = scheduler->step(outputs[k], i, sample, options);
      QVERIFY(sample.isfinite().all().item<bool>());
      COMPARE_TENSORS(sample, expected[k],
                      kTolerance * std::max(1.0, largest / expected[k].abs().max().item<double>()));
    }
  }

  void noise_and_a_later_start_equal_diffusers_data() { add_rows(true); }
  void noise_and_a_later_start_equal_diffusers() {
    QFETCH(QString, id);
    const nlohmann::json& row = rows_.at(id.toStdString());
    const std::string at = id.toStdString() + "/";
    const auto scheduler = make(row);
    const auto begin = row["begin"].get<std::size_t>();
    QCOMPARE(scheduler->timesteps()[begin], golden_[at + "timestep"].to(at::kDouble).item<double>());
    at::Tensor sample = scheduler->add_noise(golden_[at + "original"], golden_[at + "noise"], begin);
    COMPARE_TENSORS(sample, golden_[at + "expect/noisy"], kTolerance);
    const auto timestep = static_cast<int64_t>(scheduler->timesteps()[begin]);
    COMPARE_TENSORS(scheduler->add_noise_at(golden_[at + "original"], golden_[at + "noise"], timestep),
                    golden_[at + "expect/noisy"], kTolerance);
    const at::Tensor outputs = golden_[at + "model_outputs"];
    for (int64_t k = 0; k < outputs.size(0); ++k) {
      sample = scheduler->step(outputs[k], begin + static_cast<std::size_t>(k), sample);
      COMPARE_TENSORS(sample, golden_[at + "expect/samples"][k], kTolerance);
    }
  }

  void every_class_reads_its_saved_config_data() {
    QTest::addColumn<QString>("folder");
    for (const char* name : {"ddim", "ddim_inverse", "ddpm", "euler", "dpm"}) {
      QTest::newRow(name) << QString::fromLatin1(name);
    }
  }
  void every_class_reads_its_saved_config() {
    QFETCH(QString, folder);
    const std::string path = golden_.folder() + "/" + folder.toStdString();
    const auto scheduler = make_scheduler(read_scheduler_config(path), path);
    COMPARE_TENSORS(scheduler->alphas_cumprod(), golden_["alphas_cumprod/ddim_leading_epsilon"], kTolerance);
  }

  // The noise of a seed is torch.Generator("cpu")'s.
  void a_seed_draws_diffusers_noise() {
    const at::Tensor expected = golden_["ddim_eta/noise"];
    const at::Generator generator = cpu_generator(rows_.at("ddim_eta")["seed"].get<uint64_t>());
    for (int64_t k = 0; k < expected.size(0); ++k) {
      COMPARE_TENSORS(randn_tensor(expected[k].sizes(), generator, at::kFloat, at::kCPU), expected[k], 0);
    }
  }

  void dtype_is_kept_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : scheduler_names()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
  void dtype_is_kept() {
    QFETCH(QString, name);
    const auto scheduler = make_scheduler(sd_config(name.toLatin1()), "config");
    scheduler->set_timesteps(4);
    at::Tensor exact = golden_["ddim_sd15/sample"];
    const at::Tensor output = golden_["ddim_sd15/model_outputs"][0];
    const at::Tensor half =
        scheduler->step(output.to(at::kBFloat16), 0, exact.to(at::kBFloat16), {.generator = cpu_generator(1)});
    QCOMPARE(half.scalar_type(), at::kBFloat16);
    QCOMPARE(scheduler->add_noise(exact.to(at::kBFloat16), output.to(at::kBFloat16), 1).scalar_type(), at::kBFloat16);
    scheduler->reset();
    // DDPM draws other numbers in another dtype
    if (name != "DDPMScheduler") COMPARE_TENSORS(half, scheduler->step(output, 0, exact), 0.03);
  }

  // A run that starts again, with set_timesteps or at its first step, owes nothing to the one before.
  void runs_are_independent() {
    const auto scheduler = make_scheduler(sd_config("DPMSolverMultistepScheduler"), "config");
    const at::Tensor sample = golden_["dpm_sd15/sample"];
    const at::Tensor outputs = golden_["dpm_sd15/model_outputs"];
    const auto run = [&] {
      at::Tensor x = sample;
      for (std::size_t i = 0; i < 5; ++i) x = scheduler->step(outputs[static_cast<int64_t>(i)], i, x);
      return x;
    };
    scheduler->set_timesteps(5);
    const at::Tensor first = run();
    QVERIFY(at::equal(first, run()));
    scheduler->step(outputs[0], 0, sample);
    scheduler->set_timesteps(5);
    QVERIFY(at::equal(first, run()));
  }

  // For some step counts diffusers' trailing list gets one timestep too many, -1: the noisiest level as the last.
  void trailing_has_as_many_timesteps_as_asked() {
    for (const std::string& name : scheduler_names()) {
      nlohmann::json config = sd_config(name.c_str());
      config["timestep_spacing"] = "trailing";
      const auto scheduler = make_scheduler(config, "config");
      for (const int64_t n : {7, 50, 61, 103, 998}) {
        scheduler->set_timesteps(n);
        QCOMPARE(static_cast<int64_t>(scheduler->timesteps().size()), n);
      }
    }
  }

  void wrong_numbers_of_steps() {
    const auto scheduler = make_scheduler(sd_config("DDIMScheduler"), "config.json");
    VERIFY_THROWS(ConfigError, scheduler->set_timesteps(0), "num_inference_steps", "from 1 to 1000");
    VERIFY_THROWS(ConfigError, scheduler->set_timesteps(1001), "num_inference_steps", "from 1 to 1000");
    VERIFY_THROWS(ConfigError, scheduler->set_timesteps(1000), "steps_offset", "1000", "fewer");
    QVERIFY(scheduler->timesteps().empty());
    const auto dpm = make_scheduler(sd_config("DPMSolverMultistepScheduler"), "config.json");
    VERIFY_THROWS(ConfigError, dpm->set_timesteps(1000), "num_inference_steps", "too many");
  }

  void epsilon_at_zero_snr() {
    nlohmann::json config = sd_config("DDIMScheduler");
    config["rescale_betas_zero_snr"] = true;
    config["timestep_spacing"] = "trailing";
    const auto scheduler = make_scheduler(config, "config.json");
    VERIFY_THROWS(ConfigError, scheduler->set_timesteps(5), "config.json", "prediction_type", "v_prediction");
    config["clip_sample"] = true;  // brings the infinite clean sample back
    const auto clipping = make_scheduler(config, "config.json");
    clipping->set_timesteps(5);
    const at::Tensor sample = golden_["ddim_sd15/sample"];
    QVERIFY(clipping->step(0.5 * sample, 0, sample).isfinite().all().item<bool>());
  }

  // sigma_min as the last sigma repeats the one before, give or take rounding; diffusers may divide 0 by 0 there.
  void a_step_of_no_length_changes_nothing() {
    const at::Tensor outputs = golden_["dpm_sd15/model_outputs"];
    for (const char* spacing : {"use_karras_sigmas", "use_exponential_sigmas", "use_beta_sigmas", "use_lu_lambdas"}) {
      for (const char* betas : {"linear", "scaled_linear", "squaredcos_cap_v2"}) {
        nlohmann::json config = sd_config("DPMSolverMultistepScheduler");
        config.update({{spacing, true},
                       {"beta_schedule", betas},
                       {"final_sigmas_type", "sigma_min"},
                       {"lower_order_final", false},
                       {"solver_type", "heun"}});
        const auto scheduler = make_scheduler(config, "config.json");
        scheduler->set_timesteps(5);
        COMPARE_TENSORS(scheduler->sigmas()[4], scheduler->sigmas()[5], 1e-6);
        at::Tensor x = golden_["dpm_sd15/sample"];
        for (std::size_t i = 0; i < 4; ++i) x = scheduler->step(outputs[static_cast<int64_t>(i)], i, x);
        COMPARE_TENSORS(scheduler->step(outputs[4], 4, x), x, 1e-5);
      }
    }
  }

  void wrong_use_is_named() {
    const auto scheduler = make_scheduler(sd_config("EulerDiscreteScheduler"), "config");
    const at::Tensor x = at::zeros({1, 4, 2, 2});
    VERIFY_THROWS(Error, scheduler->step(x, 0, x), "set_timesteps");
    VERIFY_THROWS(Error, scheduler->init_noise_sigma(), "set_timesteps");
    scheduler->set_timesteps(3);
    VERIFY_THROWS(Error, scheduler->step(x, 3, x), "no step 3");
    VERIFY_THROWS(ShapeError, scheduler->step(at::zeros({2, 4, 2, 2}), 0, x), "[2, 4, 2, 2]", "[1, 4, 2, 2]");
    VERIFY_THROWS(ShapeError, scheduler->add_noise(x, at::zeros({1, 4}), 0), "[1, 4]");
    VERIFY_THROWS(Error, scheduler->add_noise_at(x, x, 1000), "1000");
  }
};

QTEST_APPLESS_MAIN(TestScheduler)
#include "tst_scheduler.moc"
