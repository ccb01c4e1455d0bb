#include "schedulers/spacing.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace attnscope::schedules {
namespace {

// I_x(a, a) for a = 0.6 and x <= 1/2 by its power series (DLMF 8.17.22 with the prefactor written out):
// x^a / B(a,a) * sum_n (1-a)_n / n! * x^n / (a+n), which converges at least like 2^-n there.
double lower_half_cdf(double x) {
  constexpr double a = 0.6;
  const double log_beta = 2 * std::lgamma(a) - std::lgamma(2 * a);
  double sum = 0;
  double term = 1;
  for (int n = 0; n < 200; ++n) {
    const double added = term / (a + n);
    sum += added;
    if (added < sum * 1e-17) break;
    term *= (n + 1 - a) / (n + 1) * x;
  }
  return std::exp(a * std::log(x) - log_beta) * sum;
}

}  // namespace

std::vector<double> linspace(double start, double stop, int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count), start);
  const double step = count > 1 ? (stop - start) / static_cast<double>(count - 1) : 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) * step + start;
  if (count > 1) values.back() = stop;
  return values;
}

void round_all(std::vector<double>& values) {
  for (double& value : values) value = std::nearbyint(value);
}

std::vector<double> spaced_timesteps(const std::string& spacing, int64_t count, int64_t train_timesteps,
                                     int64_t steps_offset) {
  std::vector<double> timesteps;
  if (spacing == "trailing") {
    return trailing_timesteps(train_timesteps, static_cast<double>(train_timesteps) / static_cast<double>(count));
  }
  if (spacing == "linspace") {
    timesteps = linspace(0, static_cast<double>(train_timesteps - 1), count);
  } else {
    const int64_t ratio = train_timesteps / count;
    for (int64_t i = 0; i < count; ++i) timesteps.push_back(static_cast<double>(i * ratio + steps_offset));
  }
  std::reverse(timesteps.begin(), timesteps.end());
  return timesteps;
}

std::vector<double> trailing_timesteps(int64_t first, double step) {
  std::vector<double> timesteps;
  const double start = static_cast<double>(first);
  const double delta = (start - step) - start;  // what numpy.arange adds, rounding included
  const auto count = static_cast<int64_t>(std::ceil(-start / -step));
  for (int64_t i = 0; i < count; ++i) {
    const double timestep = std::nearbyint(start + static_cast<double>(i) * delta) - 1;
    if (timestep >= 0) timesteps.push_back(timestep);
  }
  return timesteps;
}

std::vector<double> training_sigmas(const at::Tensor& alphas_cumprod) {
  const at::Tensor sigmas = ((1 - alphas_cumprod) / alphas_cumprod).sqrt().to(at::kDouble).contiguous();
  const double* data = sigmas.const_data_ptr<double>();
  return {data, data + sigmas.numel()};
}

std::vector<double> log_sigmas(const std::vector<double>& sigmas) {
  std::vector<double> logs;
  for (const double sigma : sigmas) logs.push_back(static_cast<float>(std::log(sigma)));
  return logs;
}

double interpolate(const std::vector<double>& table, double timestep) {
  const auto last = static_cast<double>(table.size() - 1);
  if (timestep <= 0) return table.front();
  if (timestep >= last) return table.back();
  const double low = std::floor(timestep);
  const auto i = static_cast<std::size_t>(low);
  if (low == timestep) return table[i];  // also keeps an infinite neighbour out of the product
  return (table[i + 1] - table[i]) * (timestep - low) + table[i];
}

double sigma_to_timestep(double sigma, const std::vector<double>& logs) {
  if (logs.size() < 2) return 0;
  const double log_sigma = std::log(std::max(sigma, 1e-10));
  std::size_t below = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (log_sigma >= logs[i]) below = i;
  }
  below = std::min(below, logs.size() - 2);
  const double low = logs[below];
  const auto span = static_cast<double>(static_cast<float>(low) - static_cast<float>(logs[below + 1]));
  const double weight = std::clamp((low - log_sigma) / span, 0.0, 1.0);
  return (1 - weight) * static_cast<double>(below) + weight * static_cast<double>(below + 1);
}

std::vector<double> karras_sigmas(double min, double max, int64_t count) {
  constexpr double rho = 7.0;
  const double low = std::pow(min, 1 / rho);
  const double high = std::pow(max, 1 / rho);
  std::vector<double> sigmas = linspace(0, 1, count);
  for (double& sigma : sigmas) sigma = std::pow(high + sigma * (low - high), rho);
  return sigmas;
}

std::vector<double> exponential_sigmas(double min, double max, int64_t count) {
  std::vector<double> sigmas = linspace(std::log(max), std::log(min), count);
  for (double& sigma : sigmas) sigma = std::exp(sigma);
  return sigmas;
}

std::vector<double> beta_sigmas(double min, double max, int64_t count) {
  std::vector<double> sigmas = linspace(0, 1, count);
  for (double& sigma : sigmas) sigma = min + beta_quantile(1 - sigma) * (max - min);
  return sigmas;
}

double beta_quantile(double probability) {
  if (probability <= 0) return 0;
  if (probability >= 1) return 1;
  if (probability > 0.5) return 1 - beta_quantile(1 - probability);  // both parameters are equal: symmetric
  double low = 0;
  double high = 0.5;
  for (int i = 0; i < 200 && high - low > 1e-17 * high; ++i) {
    const double middle = (low + high) / 2;
    (lower_half_cdf(middle) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace attnscope::schedules
