#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "base/log.h"
#include "schedulers/scheduler.h"
#include "support/errors.h"

using namespace attnscope;
using nlohmann::json;

namespace {

json with_class(const char* name, json fields = json::object()) {
  fields["_class_name"] = name;
  return fields;
}

std::unique_ptr<Scheduler> made(const json& config) { return make_scheduler(config, "scheduler_config.json"); }

// Stable Diffusion 1.5's file.
const json kPndm = {{"_class_name", "PNDMScheduler"},   {"_diffusers_version", "0.6.0"}, {"beta_end", 0.012},
                    {"beta_schedule", "scaled_linear"}, {"beta_start", 0.00085},         {"num_train_timesteps", 1000},
                    {"set_alpha_to_one", false},        {"skip_prk_steps", true},        {"steps_offset", 1},
                    {"trained_betas", nullptr},         {"clip_sample", false}};

}  // namespace

class TestFactory : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void every_name_makes_its_class() {
    QCOMPARE(scheduler_names().size(), std::size_t{5});
    for (const std::string& name : scheduler_names()) {
      QCOMPARE(made(with_class(name.c_str()))->class_name(), name);
    }
  }

  void unsupported_classes() {
    VERIFY_THROWS(LoadError, made(kPndm), "scheduler_config.json", "_class_name", "PNDMScheduler", "DDIMScheduler",
                  "DPMSolverMultistepScheduler");
    VERIFY_THROWS(LoadError, made(with_class("DDIMSheduler")), "Did you mean DDIMScheduler?");
    VERIFY_THROWS(LoadError, made(json::object()), "_class_name", "missing");
    VERIFY_THROWS(LoadError, made(json::array()), "object", "array");
    VERIFY_THROWS(LoadError, made({{"_class_name", 3}}), "_class_name", "not a text");
  }

  void unsupported_values_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* name, const char* field, const char* value) {
      QTest::addRow("%s %s", field, value) << name << field << value;
    };
    row("DDIMScheduler", "beta_schedule", "\"sigmoid\"");
    row("DDIMScheduler", "prediction_type", "\"flow_prediction\"");
    row("DDIMScheduler", "timestep_spacing", "\"karras\"");
    row("DDIMScheduler", "num_train_timesteps", "0");
    row("DDIMScheduler", "num_train_timesteps", "10.5");
    row("DDIMScheduler", "num_train_timesteps", "\"1000\"");
    row("DDIMScheduler", "beta_start", "-1");
    row("DDIMScheduler", "beta_end", "1e400");
    row("DDIMScheduler", "beta_end", "\"NaN\"");
    row("DDIMScheduler", "clip_sample", "1");
    row("DDIMScheduler", "clip_sample_range", "0");
    row("DDIMScheduler", "steps_offset", "-1");
    row("DDIMScheduler", "trained_betas", "[0.1, 0.2]");
    row("DDIMScheduler", "trained_betas", "\"many\"");
    row("DDIMScheduler", "trained_betas", "[0.1, null]");
    row("DDIMScheduler", "dynamic_thresholding_ratio", "1.5");
    row("DDPMScheduler", "variance_type", "\"learned_range\"");
    row("DDPMScheduler", "variance_type", "\"fixed_large_log\"");
    row("EulerDiscreteScheduler", "interpolation_type", "\"cubic\"");
    row("EulerDiscreteScheduler", "final_sigmas_type", "\"one\"");
    row("EulerDiscreteScheduler", "timestep_type", "\"other\"");
    row("EulerDiscreteScheduler", "sigma_min", "0");
    row("DPMSolverMultistepScheduler", "algorithm_type", "\"unipc\"");
    row("DPMSolverMultistepScheduler", "solver_type", "\"rk4\"");
    row("DPMSolverMultistepScheduler", "solver_order", "4");
    row("DPMSolverMultistepScheduler", "use_flow_sigmas", "true");
    row("DPMSolverMultistepScheduler", "use_dynamic_shifting", "true");
    row("DPMSolverMultistepScheduler", "variance_type", "\"learned\"");
  }
  void unsupported_values() {
    QFETCH(QString, name);
    QFETCH(QString, field);
    QFETCH(QString, value);
    json config = with_class(name.toLatin1());
    config[field.toStdString()] = value == "1e400" ? json("Infinity") : json::parse(value.toStdString());
    VERIFY_THROWS(LoadError, made(config), "scheduler_config.json", field.toStdString());
  }

  void values_that_do_not_go_together() {
    VERIFY_THROWS(LoadError,
                  made(with_class("EulerDiscreteScheduler", {{"use_karras_sigmas", true}, {"use_beta_sigmas", true}})),
                  "use_beta_sigmas", "combined");
    VERIFY_THROWS(LoadError, made(with_class("DPMSolverMultistepScheduler", {{"algorithm_type", "dpmsolver"}})),
                  "final_sigmas_type", "sigma_min");
    VERIFY_THROWS(LoadError,
                  made(with_class(
                      "DPMSolverMultistepScheduler",
                      {{"algorithm_type", "sde-dpmsolver"}, {"final_sigmas_type", "sigma_min"}, {"solver_order", 3}})),
                  "solver_order");
    const auto inverse = made(with_class("DDIMInverseScheduler", {{"prediction_type", "sample"}}));
    VERIFY_THROWS(ConfigError, inverse->set_timesteps(10), "set_alpha_to_one");
  }

  void a_mistyped_field_is_reported() {
    std::string text;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& message) { text += message; });
    made(with_class("DDIMScheduler", {{"beta_strat", 0.1}, {"skip_prk_steps", true}, {"_private", 1}}));
    set_log_sink(before);
    QVERIFY2(text.find("beta_strat") != std::string::npos, text.c_str());
    QVERIFY2(text.find("did you mean beta_start") != std::string::npos, text.c_str());
    QVERIFY2(text.find("skip_prk") == std::string::npos && text.find("_private") == std::string::npos, text.c_str());
  }

  // As DDIMScheduler.from_config(config): shared fields are taken, the others take the new class's defaults.
  void configs_convert_between_classes() {
    const json ddim = converted_config(kPndm, "DDIMScheduler", nullptr, "file");
    QCOMPARE(ddim["_class_name"].get<std::string>(), std::string("DDIMScheduler"));
    const auto scheduler = made(ddim);
    scheduler->set_timesteps(50);
    QCOMPARE(scheduler->timesteps().front(), 981.0);
    QCOMPARE(scheduler->timesteps().back(), 1.0);

    const json dpm = converted_config(ddim, "DPMSolverMultistep", {{"use_karras_sigmas", true}}, "file");
    QCOMPARE(dpm["_class_name"].get<std::string>(), std::string("DPMSolverMultistepScheduler"));
    const auto karras = made(dpm);
    karras->set_timesteps(6);
    QCOMPARE(karras->timesteps(), (std::vector<double>{999, 837, 594, 249, 30, 0}));
    // and back: what DPM-Solver has no use for was kept
    QCOMPARE(converted_config(dpm, "DDIM", nullptr, "file")["set_alpha_to_one"].get<bool>(), false);
  }

  void wrong_conversions() {
    VERIFY_THROWS(LoadError, converted_config(kPndm, "LMSDiscreteScheduler", nullptr, "file"), "file",
                  "LMSDiscreteScheduler", "DDIMScheduler");
    VERIFY_THROWS(LoadError, converted_config(kPndm, "DDIM", {{"step_offset", 0}}, "file"), "file", "step_offset",
                  "Did you mean steps_offset?");
    VERIFY_THROWS(LoadError, converted_config(kPndm, "DDIM", json::array(), "file"), "object");
  }

  void python_numbers_are_read() {
    QTemporaryDir folder;
    const std::string file = folder.filePath("scheduler_config.json").toStdString();
    std::ofstream(file) << "{\"_class_name\": \"DPMSolverMultistepScheduler\", \"lambda_min_clipped\": -Infinity,\n"
                           "\"note \\\" NaN\": \"Infinity, -Infinity\", \"list\": [NaN, Infinity]}";
    const json config = read_scheduler_config(folder.path().toStdString());
    QCOMPARE(config["lambda_min_clipped"].get<std::string>(), std::string("-Infinity"));
    QCOMPARE(config["note \" NaN"].get<std::string>(), std::string("Infinity, -Infinity"));
    QCOMPARE(config["list"], (json{"NaN", "Infinity"}));
    const LogSink before = set_log_sink([](LogLevel, const std::string&) {});
    QCOMPARE(made(config)->class_name(), std::string_view("DPMSolverMultistepScheduler"));
    set_log_sink(before);
  }

  void unreadable_files() {
    QTemporaryDir folder;
    VERIFY_THROWS(LoadError, read_scheduler_config(folder.path().toStdString()), "scheduler_config.json");
    const std::string file = folder.filePath("cut.json").toStdString();
    std::ofstream(file) << "{\"_class_name\": \"DDIMSched";
    VERIFY_THROWS(LoadError, read_scheduler_config(file), "cut.json", "not valid JSON");
  }
};

QTEST_APPLESS_MAIN(TestFactory)
#include "tst_factory.moc"
