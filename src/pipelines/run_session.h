#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attention/capture.h"
#include "models/words.h"
#include "pipelines/denoise.h"
#include "pipelines/latent_preview.h"
#include "pipelines/run.h"
#include "pipelines/run_folder_writer.h"
#include "video/frame_reader.h"

namespace attnscope {

// One run from its request to its folder, stage by stage. execute_run() drives it and deals with how it ends.
class RunSession {
 public:
  RunSession(const RunRequest& request, RunFolderWriter& folder, RunObserver& observer, const RunPreviews& previews);

  void run();
  // After a cancelled run: writes the latents and maps that exist by now.
  void write_partial();
  // What the run is doing, for messages.
  const std::string& stage() const { return stage_; }

 private:
  // Runs `work` as a named stage, timed, with `total` steps of progress (0: one).
  void in_stage(const std::string& stage, int total, const std::function<void()>& work);
  void step_done(int step);
  void warn(const std::string& text);

  void choose_device();
  void load_model();
  void read_input();
  void prepare_prompts();
  void choose_words();
  void prepare_scheduler();
  void start_capture();
  void inspect();
  void draw_noise();
  void invert();
  void denoise_initial();
  void decode();
  void write_results();

  Encoding encode(const std::string& prompt, const char* key);
  at::Tensor noise(at::IntArrayRef sizes);
  void before_step(std::size_t i);
  void after_step(std::size_t i, const at::Tensor& latents);
  void preview(int step, const at::Tensor& latents);
  std::vector<RunLayer> layers() const;
  nlohmann::ordered_json step_buckets() const;
  void record_facts();
  void write_maps();

  const RunRequest& request_;
  RunFolderWriter& folder_;
  RunObserver& observer_;
  const RunPreviews& previews_;
  std::string stage_ = "start";
  std::optional<StageClock> clock_;

  LoadOptions load_options_;
  StableDiffusion model_;
  std::unique_ptr<Scheduler> scheduler_;
  FrameSequence input_;
  int height_ = 0, width_ = 0;                // pixels
  int latent_height_ = 0, latent_width_ = 0;  // cells
  int frames_ = 0;
  std::string maps_prompt_;
  Encoding maps_encoding_;
  std::vector<Word> words_, captured_words_, heatmap_words_;
  at::Tensor positive_, negative_, source_;  // [1, tokens, D]
  at::Generator generator_;
  std::unique_ptr<CrossCapture> capture_;
  std::unique_ptr<LatentPreview> latent_preview_;
  at::Tensor clean_, initial_, latents_;  // [F, 4, h, w]
  std::size_t first_step_ = 0;
  std::vector<Image> outputs_;
};

}  // namespace attnscope
