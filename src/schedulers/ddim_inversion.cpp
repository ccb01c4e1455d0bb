#include "schedulers/ddim_inversion.h"

#include <algorithm>

#include "base/error.h"

namespace attnscope {

std::unique_ptr<Scheduler> make_inverse_scheduler(const Scheduler& forward) {
  const std::string& file = forward.config_file();
  return make_scheduler(converted_config(forward.config(), "DDIMInverseScheduler", nullptr, file), file);
}

std::vector<at::Tensor> ddim_invert(Scheduler& inverse, const at::Tensor& latents, const InversionModel& model,
                                    const InversionProgress& progress, std::size_t steps) {
  if (inverse.class_name() != "DDIMInverseScheduler") {
    throw Error("DDIM inversion needs a DDIMInverseScheduler", std::string(inverse.class_name()));
  }
  if (inverse.timesteps().empty()) throw Error("set_timesteps was not called", std::string(inverse.class_name()));
  std::vector<at::Tensor> levels = {latents};
  const std::size_t count = steps > 0 ? std::min(steps, inverse.timesteps().size()) : inverse.timesteps().size();
  for (std::size_t i = 0; i < count; ++i) {
    const at::Tensor output = model(levels.back(), i, inverse.timesteps()[i]);
    levels.push_back(inverse.step(output, i, levels.back()));
    if (progress) progress(i, levels.back());
  }
  return levels;
}

}  // namespace attnscope
