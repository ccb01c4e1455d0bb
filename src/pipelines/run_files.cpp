#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "pipelines/run_folder.h"

namespace attnscope {
namespace {

std::string below(const std::string& run, const std::string& name) {
  return (std::filesystem::path(run) / name).string();
}

std::string folded(std::string name) {
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

std::string safe_name(const std::string& word) {
  constexpr std::size_t longest = 80;  // bytes; file systems take 255, and suffixes follow
  std::string name = word;
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
        std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos)
      c = '_';
  if (name.size() > longest) {
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
    name.resize(end);
  }
  if (!name.empty() && (name.front() == '.' || name.front() == ' ')) name.front() = '_';
  if (!name.empty() && (name.back() == '.' || name.back() == ' ')) name.back() = '_';
  return name.empty() ? "_" : name;
}

}  // namespace

namespace run_files {

std::string manifest(const std::string& run) { return below(run, "manifest.json"); }
std::string config(const std::string& run) { return below(run, "config.yaml"); }
std::string resolved_config(const std::string& run) { return below(run, "config.resolved.yaml"); }
std::string latents(const std::string& run) { return below(run, "latents.safetensors"); }
std::string maps(const std::string& run) { return below(run, "maps.safetensors"); }
std::string head_maps(const std::string& run) { return below(run, "maps_heads.safetensors"); }
std::string step_maps(const std::string& run) { return below(run, "maps_steps.safetensors"); }
std::string source_frame(const std::string& run, int index) {
  return below(run, "frames/source/" + picture_name(index));
}
std::string output_frame(const std::string& run, int index) {
  return below(run, "frames/output/" + picture_name(index));
}
std::string output_video(const std::string& run) { return below(run, "output.mp4"); }
std::string heatmaps(const std::string& run) { return below(run, "heatmaps"); }

std::string picture_name(int index) {
  char name[32];
  std::snprintf(name, sizeof name, "%04d.png", index);
  return name;
}

}  // namespace run_files

std::string word_folder_name(const std::string& word, const std::vector<std::string>& taken) {
  // Beside a word's folder lie its .mp4 and .npz, so a word "a.mp4" must not meet the video of "a".
  const auto names_of = [](const std::string& name) {
    return std::vector<std::string>{folded(name), folded(name) + ".mp4", folded(name) + ".npz"};
  };
  std::vector<std::string> used;
  for (const std::string& name : taken)
    for (std::string& each : names_of(name)) used.push_back(std::move(each));
  const std::string base = safe_name(word);
  for (int number = 1;; ++number) {
    const std::string name = number == 1 ? base : base + "#" + std::to_string(number);
    const auto wanted = names_of(name);
    if (std::none_of(wanted.begin(), wanted.end(),
                     [&](const std::string& each) { return std::find(used.begin(), used.end(), each) != used.end(); }))
      return name;
  }
}

}  // namespace attnscope
