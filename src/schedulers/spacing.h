#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The arithmetic behind timestep lists and sigma lists, in NumPy's order of operations, since a timestep that rounds
// the other way changes the picture.
namespace attnscope::schedules {

// numpy.linspace: both ends included; [start] when count is 1.
std::vector<double> linspace(double start, double stop, int64_t count);

// Half to even, as numpy.round.
void round_all(std::vector<double>& values);

// Timesteps of DDIM, DDPM and Euler, noisiest first; `spacing` is leading, linspace or trailing (Table 2 of "Common
// Diffusion Noise Schedules and Sample Steps are Flawed"). linspace is not rounded here.
std::vector<double> spaced_timesteps(const std::string& spacing, int64_t count, int64_t train_timesteps,
                                     int64_t steps_offset);

// round(first, first - step, ...) - 1 while positive. For some counts the division makes diffusers' list one longer
// than asked, with timestep -1 (the noisiest entry of the table) as the last; that entry is left out here.
std::vector<double> trailing_timesteps(int64_t first, double step);

// sqrt((1 - ᾱ) / ᾱ) of every training timestep, as float32 values, smallest first.
std::vector<double> training_sigmas(const at::Tensor& alphas_cumprod);
// Natural logarithm, rounded to float32.
std::vector<double> log_sigmas(const std::vector<double>& sigmas);

// The table's value at a fractional timestep, clamped to its ends (numpy.interp).
double interpolate(const std::vector<double>& table, double timestep);
// The fractional timestep of a sigma in a table of log_sigmas().
double sigma_to_timestep(double sigma, const std::vector<double>& logs);

// `count` sigmas from `max` down to `min`: Karras et al. 2022 (rho 7), even steps of log sigma, and the quantiles of a
// Beta(0.6, 0.6) distribution ("Beta Sampling is All You Need").
std::vector<double> karras_sigmas(double min, double max, int64_t count);
std::vector<double> exponential_sigmas(double min, double max, int64_t count);
std::vector<double> beta_sigmas(double min, double max, int64_t count);

// The x with P(X <= x) = probability for X ~ Beta(0.6, 0.6).
double beta_quantile(double probability);

}  // namespace attnscope::schedules
