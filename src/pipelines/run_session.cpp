#include "pipelines/run_session.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/version.h>

#include <algorithm>

#include "attention/processor_rules.h"
#include "attention/recipes.h"
#include "base/error.h"
#include "nn/device.h"
#include "pipelines/images.h"
#include "schedulers/ddim_inversion.h"
#include "schedulers/random.h"
#include "video/video_version.h"

namespace attnscope {
namespace {

// Reading an existing video needs no fresh picture, so its words are those of the prompt that describes it.
bool reads_with_source_prompt(RunMode mode) { return mode == RunMode::inspect || mode == RunMode::reconstruct; }

bool inverts(RunMode mode) { return mode == RunMode::reconstruct || mode == RunMode::edit; }

}  // namespace

RunSession::RunSession(const RunRequest& request, RunFolderWriter& folder, RunObserver& observer,
                       const RunPreviews& previews)
    : request_(request),
      folder_(folder),
      observer_(observer),
      previews_(previews),
      generator_(cpu_generator(request.seed)) {}

void RunSession::run() {
  const c10::NoGradGuard no_grad;
  choose_device();
  read_input();
  load_model();
  prepare_prompts();
  prepare_scheduler();
  start_capture();
  record_facts();
  switch (request_.mode) {
    case RunMode::inspect: inspect(); break;
    case RunMode::generate:
      draw_noise();
      denoise_initial();
      break;
    case RunMode::reconstruct:
    case RunMode::edit:
      invert();
      denoise_initial();
      break;
  }
  decode();
  write_results();
}

void RunSession::in_stage(const std::string& stage, int total, const std::function<void()>& work) {
  stage_ = stage;
  clock_.emplace(stage, std::max(total, 1));
  observer_.on_progress(clock_->at(0));
  throw_if_cancelled();
  work();
  const Progress end = clock_->at(std::max(total, 1));
  if (total == 0) observer_.on_progress(end);
  folder_.manifest()["timings"][stage] = end.elapsed;
}

void RunSession::step_done(int step) {
  observer_.on_progress(clock_->at(step));
  throw_if_cancelled();
}

void RunSession::warn(const std::string& text) {
  folder_.add_warning(text);
  observer_.on_warning(text);
}

void RunSession::read_input() {
  if (request_.input.kind == InputKind::none) return;
  in_stage("read frames", 0, [this] {
    const InputOptions& in = request_.input;
    // Whether the size suits the model is known once it is there; 8 suits every Stable Diffusion and is checked again.
    FrameSelection selection = in;
    selection.multiple_of = 8;
    input_ = attnscope::read_input(in.kind, in.path, selection);
    frames_ = static_cast<int>(input_.frames.size());
    height_ = input_.frames[0].height;
    width_ = input_.frames[0].width;
    folder_.write_source_frames(input_.frames);
  });
}

void RunSession::choose_device() {
  load_options_.device = nn::parse_device(request_.model.device);
  load_options_.dtype = nn::parse_dtype(request_.model.dtype, load_options_.device);
  load_options_.check_finite = true;
}

void RunSession::load_model() {
  in_stage("load model", 0, [this] {
    model_ =
        load_stable_diffusion(request_.model.path, load_options_, [](const std::string&) { throw_if_cancelled(); });
    model_.vae->enable_tiling(request_.model.vae_tiling);
    apply_processor_rules(*model_.unet, request_.processors);
  });
  const int factor = static_cast<int>(model_.vae->config().factor());
  if (request_.input.kind == InputKind::none) {
    frames_ = request_.num_images;
    const auto native = model_.unet->config().sample_size.value_or(std::array<int64_t, 2>{64, 64});
    height_ = request_.output_height > 0 ? request_.output_height : static_cast<int>(native[0]) * factor;
    width_ = request_.output_width > 0 ? request_.output_width : static_cast<int>(native[1]) * factor;
  }
  if (height_ % factor != 0 || width_ % factor != 0) {
    throw ConfigError(
        std::to_string(height_) + " x " + std::to_string(width_) + " pixels do not divide into latent cells of " +
            std::to_string(factor) + " x " + std::to_string(factor),
        {.file = request_.config_name, .key = request_.input.kind == InputKind::none ? "output_size" : "input.height"},
        "Choose multiples of " + std::to_string(factor) + ".");
  }
  latent_height_ = height_ / factor;
  latent_width_ = width_ / factor;
}

Encoding RunSession::encode(const std::string& prompt, const char* key) {
  Encoding encoding = model_.tokenizer->encode(prompt);
  if (encoding.truncated)
    warn(std::string(key) + " is longer than the text encoder takes; lost: " + encoding.lost_text);
  return encoding;
}

void RunSession::prepare_prompts() {
  in_stage("encode prompts", 0, [this] {
    const bool source = reads_with_source_prompt(request_.mode);
    const char* key = source ? "source_prompt" : "prompt";
    maps_prompt_ = source ? request_.source_prompt : request_.prompt;
    maps_encoding_ = encode(maps_prompt_, key);
    words_ = split_words(maps_prompt_, maps_encoding_);
    choose_words();
    positive_ = encode_prompts(model_, {maps_encoding_});
    source_ = request_.mode == RunMode::edit ? encode_prompts(model_, {encode(request_.source_prompt, "source_prompt")})
                                             : positive_;
    negative_ = encode_prompts(model_, {encode(request_.negative_prompt, "negative_prompt")});
  });
}

// Before the long part of the run: a word that is not there must not be found out at its end.
void RunSession::choose_words() {
  const auto find = [&](const std::vector<std::string>& queries, const char* key) {
    std::vector<Word> found;
    for (const std::string& query : queries)
      found.push_back(find_word(words_, query, {.file = request_.config_name, .key = key}));
    return found;
  };
  captured_words_ = find(request_.capture.words, "attention.capture.words");
  heatmap_words_ = find(request_.heatmaps.words, "heatmaps.words");
  if (heatmap_words_.empty()) heatmap_words_ = captured_words_;
  if (heatmap_words_.empty())
    std::copy_if(words_.begin(), words_.end(), std::back_inserter(heatmap_words_),
                 [](const Word& word) { return !word.tokens.empty(); });
}

void RunSession::prepare_scheduler() {
  const Scheduler& own = *model_.scheduler;
  nlohmann::json overrides = request_.scheduler.is_object() ? request_.scheduler : nlohmann::json::object();
  std::string type = overrides.value("type", "");
  overrides.erase("type");
  if (inverts(request_.mode)) {
    // An inverted video only comes back along the path it went: DDIM's.
    if (!type.empty() && type != "DDIMScheduler" && type != "DDIM") {
      throw ConfigError(
          "mode " + to_string(request_.mode) + " inverts with DDIM and has to come back with it, not with " + type,
          {.file = request_.config_name, .key = "scheduler.type"}, "Leave scheduler.type out, or use DDIMScheduler.");
    }
    if (type.empty() && own.class_name() != "DDIMScheduler")
      warn("the model's " + std::string(own.class_name()) + " is replaced by DDIMScheduler, which inversion needs");
    type = "DDIMScheduler";
  }
  if (type.empty()) type = std::string(own.class_name());
  scheduler_ = make_scheduler(converted_config(own.config(), type, overrides, own.config_file()), own.config_file());
  scheduler_->set_timesteps(request_.num_inference_steps);
  first_step_ = request_.mode == RunMode::generate ? 0 : first_step(scheduler_->timesteps().size(), request_.strength);
  if (first_step_ >= scheduler_->timesteps().size()) {
    throw ConfigError("strength " + std::to_string(request_.strength) + " of " +
                          std::to_string(request_.num_inference_steps) + " steps leaves no step",
                      {.file = request_.config_name, .key = "strength"}, "Raise strength or num_inference_steps.");
  }
}

void RunSession::start_capture() {
  if (!request_.capture.enabled) return;
  CapturePlan plan;
  std::vector<std::string> cross;
  for (const auto& [key, attention] : nn::attention_layers(*model_.unet))
    if (attention->is_cross_attention()) cross.push_back(key);
  plan.layers = request_.capture.layers.empty()
                    ? cross
                    : matching_keys(request_.capture.layers, cross, "attention.capture.layers");
  const int last_step = static_cast<int>(scheduler_->timesteps().size()) - 1;
  const auto asked = request_.capture.steps.value_or(std::array<int, 2>{0, last_step});
  plan.steps = {std::max(asked[0], static_cast<int>(first_step_)), std::min(asked[1], last_step)};
  plan.heads = request_.capture.heads;
  plan.step_buckets = request_.capture.step_buckets;
  if (plan.step_buckets > 1 && plan.step_buckets > (*plan.steps)[1] - (*plan.steps)[0] + 1) {
    throw ConfigError(std::to_string(plan.step_buckets) + " buckets for " +
                          std::to_string(std::max(0, (*plan.steps)[1] - (*plan.steps)[0] + 1)) + " captured steps",
                      {.file = request_.config_name, .key = "attention.capture.step_buckets"},
                      "Lower step_buckets, or capture more steps.");
  }
  for (const Word& word : captured_words_)
    plan.tokens.insert(plan.tokens.end(), word.tokens.begin(), word.tokens.end());
  std::sort(plan.tokens.begin(), plan.tokens.end());
  plan.tokens.erase(std::unique(plan.tokens.begin(), plan.tokens.end()), plan.tokens.end());
  plan.frames = frames_;
  plan.token_count = static_cast<int>(maps_encoding_.ids.size());
  plan.latent_height = latent_height_;
  plan.latent_width = latent_width_;
  observer_.on_capture_bytes(capture_bytes(*model_.unet, plan));
  capture_ = std::make_unique<CrossCapture>(*model_.unet, plan);
}

at::Tensor RunSession::noise(at::IntArrayRef sizes) {
  return randn_tensor(sizes, generator_, model_.dtype, model_.device);
}

void RunSession::before_step(std::size_t i) {
  if (capture_) capture_->begin_step(static_cast<int>(i));
}

void RunSession::after_step(std::size_t i, const at::Tensor& latents) {
  latents_ = latents;
  const int step = static_cast<int>(i - first_step_) + 1;
  preview(step, latents);
  step_done(step);
}

void RunSession::preview(int step, const at::Tensor& latents) {
  if (previews_.every_steps <= 0 || step % previews_.every_steps != 0) return;
  if (!latent_preview_) latent_preview_ = std::make_unique<LatentPreview>(model_);
  observer_.on_preview(step, 0, latent_preview_->picture(latents.narrow(0, 0, 1)));
  if (!capture_ || previews_.words.empty()) return;
  const CrossMaps maps = capture_->maps();
  if (maps.layers.empty()) return;
  for (const std::string& query : previews_.words)
    observer_.on_maps(query, word_heatmaps(maps, request_.heatmaps.recipe, find_word(words_, query).tokens));
}

void RunSession::inspect() {
  in_stage("encode frames", 0, [this] { clean_ = encode_frames(model_, images_to_tensor(input_.frames)); });
  const std::size_t steps = scheduler_->timesteps().size();
  in_stage("inspect", static_cast<int>(steps - first_step_), [&] {
    const at::Tensor fresh = noise(clean_.sizes());
    initial_ = clean_;
    // One look at each noise level: nothing is denoised, so what the model sees is always the video itself.
    for (std::size_t i = first_step_; i < steps; ++i) {
      before_step(i);
      const at::Tensor noised = scheduler_->add_noise(clean_, fresh, i);
      predict(*model_.unet, scheduler_->scale_model_input(noised, i), scheduler_->timesteps()[i], positive_);
      after_step(i, noised);
    }
  });
}

void RunSession::draw_noise() {
  const int64_t channels = model_.vae->config().latent_channels;
  initial_ = noise({frames_, channels, latent_height_, latent_width_}) * scheduler_->init_noise_sigma();
}

void RunSession::invert() {
  in_stage("encode frames", 0, [this] { clean_ = encode_frames(model_, images_to_tensor(input_.frames)); });
  const auto inverse = make_inverse_scheduler(*scheduler_);
  inverse->set_timesteps(request_.num_inference_steps);
  const std::size_t levels = scheduler_->timesteps().size() - first_step_;
  in_stage("invert", static_cast<int>(levels), [&] {
    if (capture_) capture_->begin_step(0, false);  // the maps are those of the way back
    ddim_invert(
        *inverse, clean_,
        [&](const at::Tensor& x, std::size_t, double timestep) { return predict(*model_.unet, x, timestep, source_); },
        [&](std::size_t i, const at::Tensor& x) {
          initial_ = x;
          step_done(static_cast<int>(i) + 1);
        },
        levels);
  });
}

// From `initial_`: fresh noise, or what the inversion ended with.
void RunSession::denoise_initial() {
  in_stage("denoise", static_cast<int>(scheduler_->timesteps().size() - first_step_), [this] {
    DenoiseOptions options{request_.guidance_scale, request_.eta, first_step_, generator_};
    latents_ = denoise(
        model_, *scheduler_, initial_, positive_, negative_, options, [this](std::size_t i) { before_step(i); },
        [this](std::size_t i, const at::Tensor& latents) { after_step(i, latents); });
  });
}

void RunSession::decode() {
  if (request_.mode == RunMode::inspect) return;
  in_stage("decode", frames_, [this] {
    for (int i = 0; i < frames_; ++i) {
      outputs_.push_back(tensor_to_images(decode_latents(model_, latents_.narrow(0, i, 1)))[0]);
      step_done(i + 1);
    }
  });
}

void RunSession::write_maps() {
  if (!capture_) return;
  const CrossMaps maps = capture_->maps();
  if (!maps.layers.empty()) folder_.write_maps(maps);
}

void RunSession::write_results() {
  const std::vector<Image>& pictures = outputs_.empty() ? input_.frames : outputs_;
  in_stage("write", 0, [&] {
    if (!outputs_.empty()) folder_.write_output_frames(outputs_, input_.fps);
    folder_.write_latents(initial_, latents_);
    folder_.set_layers(layers());
    if (!capture_) return;
    const CrossMaps maps = capture_->maps();
    folder_.manifest()["capture"] = {{"bytes", capture_bytes(*model_.unet, capture_->plan())},
                                     {"steps", capture_->steps()},
                                     {"passes", capture_->steps()},
                                     {"heads", capture_->plan().heads},
                                     {"step_buckets", step_buckets()}};
    if (maps.layers.empty()) {
      warn("no step was captured, so there are no maps (attention.capture.steps)");
      return;
    }
    folder_.write_maps(maps);
    for (const Word& word : heatmap_words_) {
      throw_if_cancelled();
      const auto maps_of_word = word_heatmaps(maps, request_.heatmaps.recipe, word.tokens);
      folder_.write_heatmaps({word.text, word.tokens, {}}, maps_of_word, pictures, input_.fps);
    }
  });
}

// [[first, last], …] of the steps that were kept apart.
nlohmann::ordered_json RunSession::step_buckets() const {
  auto buckets = nlohmann::ordered_json::array();
  const CapturePlan& plan = capture_->plan();
  if (plan.step_buckets == 1) return buckets;
  for (int step = (*plan.steps)[0]; step <= (*plan.steps)[1]; ++step) {
    if (static_cast<std::size_t>(capture_->bucket_of(step)) == buckets.size()) buckets.push_back({step, step});
    buckets.back()[1] = step;
  }
  return buckets;
}

void RunSession::write_partial() {
  if (latents_.defined() || initial_.defined()) folder_.write_latents(initial_, latents_);
  if (model_.unet) folder_.set_layers(layers());
  write_maps();
}

std::vector<RunLayer> RunSession::layers() const {
  std::vector<RunLayer> result;
  const int blocks = static_cast<int>(model_.unet->config().block_out_channels.size());
  for (const auto& [key, attention] : nn::attention_layers(*model_.unet)) {
    RunLayer layer;
    layer.key = key;
    layer.place = key.substr(0, key.find_first_of("._"));
    layer.processor = processor_name(*attention->processor);
    const auto size = level_size(latent_height_, latent_width_, block_level(key, blocks));
    layer.height = static_cast<int>(size[0]);
    layer.width = static_cast<int>(size[1]);
    layer.heads = static_cast<int>(attention->config().heads);
    layer.head_dim = static_cast<int>(attention->config().dim_head);
    layer.cross_dim = static_cast<int>(attention->config().cross_attention_dim);
    layer.calls = attention->calls();
    layer.captured = dynamic_cast<const nn::CaptureAttnProcessor*>(attention->processor.pointer().get()) != nullptr;
    result.push_back(layer);
  }
  return result;
}

void RunSession::record_facts() {
  auto& manifest = folder_.manifest();
  manifest["versions"]["libtorch"] = TORCH_VERSION;
  manifest["versions"]["opencv"] = video_library_version();
  manifest["model"] = {{"path", model_.path},
                       {"hash", model_.hash},
                       {"class", model_.class_name},
                       {"dtype", nn::dtype_name(model_.dtype)},
                       {"device", nn::device_name(model_.device)}};
  manifest["frames"] = {
      {"count", frames_},
      {"width", width_},
      {"height", height_},
      {"fps", input_.fps},
      {"source", request_.input.kind == InputKind::none ? nlohmann::ordered_json()
                                                        : nlohmann::ordered_json(request_.input.path)}};
  std::vector<RunWord> words;
  for (const Word& word : words_) words.push_back({word.text, word.tokens, {}});
  std::vector<std::string> tokens(maps_encoding_.pieces.begin(), maps_encoding_.pieces.end());
  folder_.set_words(maps_prompt_, tokens, words);
  folder_.set_layers(layers());
  folder_.save();
}

}  // namespace attnscope
