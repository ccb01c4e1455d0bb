#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/log.h"
#include "schedulers/ddim.h"
#include "schedulers/ddpm.h"
#include "schedulers/dpm_solver_multistep.h"
#include "schedulers/euler_discrete.h"

namespace attnscope {
namespace {

struct SchedulerClass {
  const char* name;
  std::unique_ptr<Scheduler> (*make)(SchedulerConfig);
  std::vector<std::string> fields;
};

template <class T>
std::unique_ptr<Scheduler> make(SchedulerConfig config) {
  return std::make_unique<T>(std::move(config));
}

std::vector<std::string> with_shared_fields(std::vector<std::string> own) {
  for (const char* field : {"num_train_timesteps", "beta_start", "beta_end", "beta_schedule", "trained_betas",
                            "prediction_type", "timestep_spacing", "steps_offset", "rescale_betas_zero_snr"}) {
    own.emplace_back(field);
  }
  return own;
}

const std::vector<SchedulerClass>& classes() {
  static const std::vector<SchedulerClass> list = {
      {"DDIMScheduler", make<DDIMScheduler>,
       with_shared_fields({"clip_sample", "clip_sample_range", "set_alpha_to_one", "thresholding",
                           "dynamic_thresholding_ratio", "sample_max_value"})},
      {"DDIMInverseScheduler", make<DDIMInverseScheduler>,
       with_shared_fields({"clip_sample", "clip_sample_range", "set_alpha_to_one", "set_alpha_to_zero"})},
      {"DDPMScheduler", make<DDPMScheduler>,
       with_shared_fields({"clip_sample", "clip_sample_range", "variance_type", "thresholding",
                           "dynamic_thresholding_ratio", "sample_max_value"})},
      {"EulerDiscreteScheduler", make<EulerDiscreteScheduler>,
       with_shared_fields({"interpolation_type", "use_karras_sigmas", "use_exponential_sigmas", "use_beta_sigmas",
                           "sigma_min", "sigma_max", "timestep_type", "final_sigmas_type"})},
      {"DPMSolverMultistepScheduler", make<DPMSolverMultistepScheduler>,
       with_shared_fields({"solver_order", "thresholding", "dynamic_thresholding_ratio", "sample_max_value",
                           "algorithm_type", "solver_type", "lower_order_final", "euler_at_final", "use_karras_sigmas",
                           "use_exponential_sigmas", "use_beta_sigmas", "use_lu_lambdas", "use_flow_sigmas",
                           "flow_shift", "final_sigmas_type", "lambda_min_clipped", "variance_type",
                           "use_dynamic_shifting", "time_shift_type"})},
  };
  return list;
}

// Fields of classes that are not supported, which stand in real files and mean nothing to the others.
constexpr std::array kForeignFields = {"skip_prk_steps",
                                       "predict_x0",
                                       "solver_p",
                                       "disable_corrector",
                                       "predict_epsilon",
                                       "base_image_seq_len",
                                       "max_image_seq_len",
                                       "base_shift",
                                       "max_shift",
                                       "shift",
                                       "shift_terminal",
                                       "sigma_data",
                                       "rho",
                                       "original_inference_steps",
                                       "timestep_scaling",
                                       "use_timesteps",
                                       "tensor_format",
                                       "invert_sigmas"};

std::string supported_list() {
  std::string text;
  for (const SchedulerClass& c : classes()) text += (text.empty() ? "" : ", ") + std::string(c.name);
  return text;
}

const SchedulerClass& find_class(const std::string& name, const std::string& file) {
  for (const SchedulerClass& c : classes()) {
    if (name == c.name) return c;
  }
  const std::string nearest = nearest_name(name, scheduler_names());
  throw LoadError(
      "scheduler " + name + " is not supported", file, "_class_name",
      "Supported: " + supported_list() + "." +
          (nearest.empty() ? " Choose one of them as the run's scheduler." : " Did you mean " + nearest + "?"));
}

// A mistyped field silently leaves its default in force, the classic way to wrong betas.
void warn_of_unknown_fields(const nlohmann::json& config, const std::string& file) {
  std::vector<std::string> known(kForeignFields.begin(), kForeignFields.end());
  for (const SchedulerClass& c : classes()) known.insert(known.end(), c.fields.begin(), c.fields.end());
  for (const auto& [key, value] : config.items()) {
    if (key.empty() || key[0] == '_' || std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string nearest = nearest_name(key, known);
    log(LogLevel::warning, file + ": the scheduler field " + key + " is unknown and ignored" +
                               (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
  }
}

}  // namespace

const std::vector<std::string>& scheduler_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const SchedulerClass& c : classes()) list.emplace_back(c.name);
    return list;
  }();
  return names;
}

const std::vector<std::string>& scheduler_fields(const std::string& class_name) {
  return find_class(class_name, {}).fields;
}

std::unique_ptr<Scheduler> make_scheduler(const nlohmann::json& config, const std::string& file) {
  SchedulerConfig fields(config, file);
  if (!fields.has("_class_name")) {
    throw LoadError("the scheduler's class is missing", file, "_class_name", "Supported: " + supported_list() + ".");
  }
  const SchedulerClass& found = find_class(fields.text("_class_name", ""), file);
  warn_of_unknown_fields(config, file);
  return found.make(std::move(fields));
}

nlohmann::json converted_config(const nlohmann::json& config, const std::string& class_name,
                                const nlohmann::json& overrides, const std::string& file) {
  const std::vector<std::string>& names = scheduler_names();
  const bool short_name = std::find(names.begin(), names.end(), class_name + "Scheduler") != names.end();
  const SchedulerClass& target = find_class(short_name ? class_name + "Scheduler" : class_name, file);

  nlohmann::json result = SchedulerConfig(config, file).values();
  if (!overrides.is_null()) {
    const SchedulerConfig changes(overrides, file);
    for (const auto& [key, value] : overrides.items()) {
      if (std::find(target.fields.begin(), target.fields.end(), key) == target.fields.end()) {
        const std::string nearest = nearest_name(key, target.fields);
        throw LoadError(std::string(target.name) + " has no such field", file, key,
                        nearest.empty() ? std::string() : "Did you mean " + nearest + "?");
      }
      result[key] = value;
    }
  }
  result["_class_name"] = target.name;
  return result;
}

}  // namespace attnscope
