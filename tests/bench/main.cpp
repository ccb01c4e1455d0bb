// Our side of ./dev bench: the same measurements as diffusers_baseline.py, printed as one JSON object.
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/version.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "attention/capture.h"
#include "io/json_file.h"
#include "io/safetensors.h"
#include "loaders/diffusers_folder.h"
#include "nn/device.h"
#include "op_times.h"
#include "pipelines/run.h"

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using namespace attnscope;

namespace {

constexpr int kTokens = 77;

struct Options {
  std::string size = "sd15";
  std::string parts = "step,capture,load,demo";
  std::string dtypes = "float32,bfloat16";
  std::string scratch = fs::temp_directory_path().string();
  std::string load_once;
  int runs = 3;
  int threads = 0;

  bool measures(const std::string& part) const {
    return ("," + parts + ",").find("," + part + ",") != std::string::npos;
  }
};

// diffusers' own defaults are SD 1.5's shape; `tiny` is the baseline script's.
json config_of(const std::string& size) {
  json config = {{"_class_name", "UNet2DConditionModel"},
                 {"sample_size", 64},
                 {"cross_attention_dim", 768},
                 {"block_out_channels", {320, 640, 1280, 1280}},
                 {"attention_head_dim", 8}};
  if (size == "tiny")
    config.update({{"sample_size", 16},
                   {"cross_attention_dim", 64},
                   {"block_out_channels", {32, 64, 64, 64}},
                   {"norm_num_groups", 8},
                   {"attention_head_dim", 4}});
  return config;
}

double seconds_of(const std::function<void()>& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Seconds of each call after one that warms up; the calls take turns, so that all meet the same load of the machine.
json timed(const std::vector<std::pair<std::string, std::function<void()>>>& calls, int runs) {
  std::map<std::string, std::vector<double>> times;
  for (int turn = 0; turn <= runs; ++turn) {
    for (const auto& [name, call] : calls) {
      const double took = seconds_of(call);
      if (turn > 0) times[name].push_back(took);
    }
  }
  json result;
  for (const auto& [name, taken] : times)
    result[name] = {
        {"median_s", median(taken)}, {"min_s", *std::min_element(taken.begin(), taken.end())}, {"runs_s", taken}};
  return result;
}

// Largest resident size of this process so far, in bytes.
int64_t peak_rss() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stoll(line.substr(6)) * 1024;
  return 0;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::shared_ptr<UNet2DConditionModel> build(const Options& options, c10::ScalarType dtype) {
  auto unet = std::make_shared<UNet2DConditionModel>(UNetConfig::from_json(config_of(options.size), options.size));
  unet->init_random(0);
  unet->to(std::nullopt, dtype);
  return unet;
}

json measure_steps(const Options& options) {
  const c10::NoGradGuard no_gradients;
  json result;
  for (const std::string& name : split(options.dtypes)) {
    const c10::ScalarType dtype = nn::parse_dtype(name, c10::Device(c10::kCPU));
    const auto unet = build(options, dtype);
    const int64_t latent = (*unet->config().sample_size)[0];
    const auto typed = at::TensorOptions(dtype);
    const UNetInput input{at::randn({2, 4, latent, latent}).to(typed), at::full({1}, 500.0),
                          at::randn({2, kTokens, unet->config().cross_attention_dim[0]}).to(typed)};
    CapturePlan plan;
    for (const auto& [key, attention] : nn::attention_layers(*unet))
      if (attention->is_cross_attention()) plan.layers.push_back(key);
    plan.frames = 1;
    plan.token_count = kTokens;
    plan.latent_height = plan.latent_width = static_cast<int>(latent);
    const auto step = [&] { (*unet)(input); };
    std::vector<std::pair<std::string, std::function<void()>>> calls{{"step", step}};
    if (options.measures("capture")) {
      calls.emplace_back("capture_cross", [&] {
        CrossCapture running(*unet, plan);
        running.begin_step(0);
        step();
      });
    }
    json& measured = result[name] = timed(calls, options.runs);
    if (options.measures("capture")) {
      measured["capture_overhead"] =
          measured["capture_cross"]["median_s"].get<double>() / measured["step"]["median_s"].get<double>() - 1;
      plan.frames = 8;
      measured["capture_bytes_of_8_frames"] = capture_bytes(*unet, plan);
    }
    if (options.measures("profile")) {
      const bench::OpTimes ops;
      measured["profiled_s"] = seconds_of(step);
      std::vector<std::pair<std::string, double>> sorted(ops.seconds().begin(), ops.seconds().end());
      std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
      for (const auto& [op, seconds] : sorted) measured["profile"][op] = seconds;
    }
  }
  result["peak_rss"] = peak_rss();
  return result;
}

void save_unet(const Options& options, const fs::path& folder) {
  fs::create_directories(folder);
  const auto unet = build(options, at::kFloat);
  NamedTensors tensors;
  for (const auto& [path, parameter] : unet->named_parameters()) tensors.emplace_back(path, parameter->tensor());
  save_safetensors((folder / "diffusion_pytorch_model.safetensors").string(), tensors);
  write_json_file((folder / "config.json").string(), config_of(options.size));
}

// Runs in a process of its own: loads, and touches every page, since a mapped file is read only then.
json load_once(const std::string& folder) {
  const c10::NoGradGuard no_gradients;
  const int64_t before = peak_rss();
  std::shared_ptr<UNet2DConditionModel> unet;
  const double loaded = seconds_of([&] { unet = load_unet(folder, {}); });
  const double touched = seconds_of([&] {
    for (const auto& [path, parameter] : unet->named_parameters())
      parameter->tensor().view(-1).slice(0, 0, std::nullopt, 1024).sum();
  });
  return {{"load_s", loaded},
          {"load_and_touch_s", loaded + touched},
          {"weights", unet->parameter_bytes()},
          {"rss_before", before},
          {"peak_rss", peak_rss()}};
}

json measure_load(const Options& options) {
  const fs::path folder = fs::path(options.scratch) / ("attnscope-bench-unet-" + options.size);
  if (!fs::exists(folder / "diffusion_pytorch_model.safetensors")) save_unet(options, folder);
  const std::string command = fs::read_symlink("/proc/self/exe").string() + " --load-once '" + folder.string() +
                              "' --threads " + std::to_string(options.threads);
  json runs = json::array();
  for (int i = 0; i < options.runs; ++i) {
    FILE* child = popen(command.c_str(), "r");
    std::string text;
    char buffer[4096];
    while (const std::size_t got = fread(buffer, 1, sizeof buffer, child)) text.append(buffer, got);
    if (pclose(child) != 0) throw std::runtime_error("loading " + folder.string() + " failed");
    runs.push_back(json::parse(text));
  }
  const auto all = [&](const char* key) {
    std::vector<double> values;
    for (const json& run : runs) values.push_back(run[key]);
    return values;
  };
  double over = 0;
  for (const json& run : runs)
    over = std::max(over,
                    (run["peak_rss"].get<double>() - run["rss_before"].get<double>()) / run["weights"].get<double>());
  const auto peaks = all("peak_rss");
  return {{"folder", folder.string()},
          {"median_s", median(all("load_s"))},
          {"median_with_touch_s", median(all("load_and_touch_s"))},
          {"peak_rss", *std::max_element(peaks.begin(), peaks.end())},
          {"peak_over_weights", over},
          {"runs", runs}};
}

// The run of `./dev demo`.
json measure_demo(const Options& options) {
  const fs::path source = ATTNSCOPE_SOURCE_DIR, folder = fs::path(options.scratch) / "attnscope-bench-demo";
  const RunRequest request = load_run_request((source / "configs/demo.yaml").string(), {});
  RunObserver silent;
  fs::remove_all(folder);
  const double took = seconds_of([&] { execute_run(request, folder.string(), silent, CancelToken()); });
  fs::remove_all(folder);
  return {{"run_s", took}};
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Measures the engine's speed and memory with random weights of real size; prints JSON."};
  app.add_option("--size", options.size, "sd15 or tiny")->check(CLI::IsMember({"sd15", "tiny"}))->capture_default_str();
  app.add_option("--parts", options.parts, "any of step, capture, profile, load, demo")->capture_default_str();
  app.add_option("--dtype", options.dtypes, "of the steps, with commas")->capture_default_str();
  app.add_option("-n", options.runs, "measured runs after one that warms up")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--threads", options.threads, "0: one a core")->capture_default_str();
  app.add_option("--scratch", options.scratch, "where the folder to load is kept")->capture_default_str();
  app.add_option("--load-once", options.load_once)->group("");
  CLI11_PARSE(app, argc, argv);
  nn::keep_freed_memory();
  nn::set_compute_threads(options.threads);
  try {
    if (!options.load_once.empty()) {
      std::cout << load_once(options.load_once).dump() << "\n";
      return 0;
    }
    json result{{"version", ATTNSCOPE_VERSION},
                {"libtorch", TORCH_VERSION},
                {"threads", nn::compute_threads()},
                {"size", options.size},
                {"n", options.runs}};
    if (options.measures("step") || options.measures("capture") || options.measures("profile"))
      result["unet"] = measure_steps(options);
    if (options.measures("load")) result["load"] = measure_load(options);
    if (options.measures("demo")) result["demo"] = measure_demo(options);
    std::cout << result.dump(1) << std::endl;
  } catch (const std::exception& error) {
    std::cerr << "attnscope-bench: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
