#include <ATen/ATen.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iomanip>
#include <memory>
#include <ostream>

#include "attention/processor_rules.h"
#include "base/bytes.h"
#include "base/error.h"
#include "cli/verbs.h"
#include "io/json_file.h"
#include "loaders/diffusers_folder.h"
#include "loaders/tensor_source.h"
#include "pipelines/run_folder.h"

namespace attnscope::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json component_table(const DiffusersFolder& folder) {
  Json table = Json::array();
  for (const auto& [name, entry] : folder.index().items()) {
    if (!folder.has(name)) continue;
    Json row{{"name", name}, {"class", folder.component_class(name)}};
    const std::string path = folder.component_path(name);
    if (TensorSource::exists(path)) {
      const TensorSource source = TensorSource::open(path);
      int64_t parameters = 0;
      for (const std::string& key : source.keys()) {
        int64_t count = 1;
        for (const int64_t size : source.info(key).sizes) count *= size;
        parameters += count;
      }
      row["parameters"] = parameters;
      row["bytes"] = source.bytes();
    }
    table.push_back(row);
  }
  return table;
}

// From the config alone: weights are not needed to know the layers.
Json attention_table(const std::string& unet_folder) {
  const std::string file = unet_folder + "/config.json";
  UNet2DConditionModel unet(UNetConfig::from_json(read_json_file(file), file));
  Json table = Json::array();
  for (const auto& [key, attention] : nn::attention_layers(unet)) {
    const auto& config = attention->config();
    table.push_back({{"key", key},
                     {"place", key.substr(0, key.find_first_of("._"))},
                     {"processor", processor_name(*attention->processor)},
                     {"width", config.query_dim},
                     {"heads", config.heads},
                     {"head_dim", config.dim_head},
                     {"cross_dim", config.cross_attention_dim > 0 ? Json(config.cross_attention_dim) : Json()}});
  }
  return table;
}

void print_attention_tree(std::ostream& out, const Json& table) {
  out << "\nattn_processors (" << table.size() << ")\n";
  std::vector<std::string> open;
  for (const Json& row : table) {
    // The path's parts as a tree: only those that differ from the line before are printed.
    std::vector<std::string> parts;
    const std::string key = row["key"];
    for (std::size_t begin = 0; begin <= key.size();) {
      const std::size_t dot = std::min(key.find('.', begin), key.size());
      parts.push_back(key.substr(begin, dot - begin));
      begin = dot + 1;
    }
    parts.pop_back();  // "processor"
    std::size_t same = 0;
    while (same < open.size() && same + 1 < parts.size() && open[same] == parts[same]) ++same;
    for (std::size_t i = same; i + 1 < parts.size(); ++i) out << std::string(2 * i + 2, ' ') << parts[i] << "\n";
    out << std::string(2 * parts.size(), ' ') << std::left << std::setw(8) << parts.back() << std::setw(10)
        << row["processor"].get<std::string>() << "width " << std::setw(6) << row["width"].get<int64_t>()
        << row["heads"].get<int64_t>() << " heads x " << row["head_dim"].get<int64_t>();
    if (!row["cross_dim"].is_null()) out << "  cross " << row["cross_dim"].get<int64_t>();
    out << "\n";
    open = parts;
  }
}

void show_model(const std::string& path, bool json, std::ostream& out) {
  const bool pipeline = fs::exists(path + "/model_index.json");
  Json result;
  if (pipeline) {
    const DiffusersFolder folder(path);
    result["class"] = folder.class_name();
    result["components"] = component_table(folder);
    if (folder.has("unet")) result["attn_processors"] = attention_table(folder.component_path("unet"));
  } else {
    result["class"] = "UNet2DConditionModel";
    result["attn_processors"] = attention_table(path);
  }
  if (json) {
    out << result.dump(2) << "\n";
    return;
  }
  out << path << "  " << result["class"].get<std::string>() << "\n";
  if (pipeline) {
    for (const Json& row : result["components"]) {
      out << "  " << std::left << std::setw(16) << row["name"].get<std::string>() << std::setw(28)
          << row["class"].get<std::string>();
      if (row.contains("parameters"))
        out << std::right << std::setw(14) << row["parameters"].get<int64_t>() << " parameters  "
            << readable_bytes(row["bytes"].get<int64_t>());
      out << "\n";
    }
  }
  if (result.contains("attn_processors")) print_attention_tree(out, result["attn_processors"]);
}

void show_run(const std::string& path, bool json, std::ostream& out) {
  const RunFolder run = RunFolder::open(path);
  if (json) {
    out << run.manifest().dump(2) << "\n";
    return;
  }
  out << path << "  " << to_string(run.status()) << (run.error().empty() ? "" : ": " + run.error()) << "\n";
  out << "  mode    " << run.manifest().value("mode", "") << "\n  prompt  " << run.prompt() << "\n  frames  "
      << run.frames() << "\n  words   ";
  for (const RunWord& word : run.words()) {
    out << word.text << " [";
    for (std::size_t i = 0; i < word.tokens.size(); ++i) out << (i ? " " : "") << word.tokens[i];
    out << "]  ";
  }
  out << "\n";
  for (const std::string& warning : run.warnings()) out << "  warning " << warning << "\n";
  out << "\nlayers (" << run.layers().size() << ")\n";
  for (const RunLayer& layer : run.layers()) {
    out << "  " << std::left << std::setw(72) << layer.key << std::setw(9) << layer.processor << layer.height << "x"
        << layer.width << "  " << layer.heads << " x " << layer.head_dim << (layer.captured ? "  captured" : "")
        << "\n";
  }
}

}  // namespace

void add_show(CLI::App& app, const Streams& streams, Action& action) {
  struct Options {
    std::string path;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("show", "Show a model's components and attention layers, or what a run folder holds.");
  verb->add_option("path", options->path, "A pipeline folder, a UNet folder or a run folder")->required();
  verb->add_flag("--json", options->json, "Print JSON");
  verb->callback([options, &streams, &action] {
    action = [options, &streams] {
      std::error_code ignored;
      if (!fs::exists(options->path, ignored)) throw LoadError("no such folder", options->path);
      if (fs::exists(options->path + "/manifest.json", ignored)) {
        show_run(options->path, options->json, streams.out);
        return 0;
      }
      if (!fs::exists(options->path + "/model_index.json", ignored) &&
          !fs::exists(options->path + "/config.json", ignored)) {
        throw LoadError("neither a model nor a run", options->path, {},
                        "A pipeline folder holds model_index.json, a component config.json, a run manifest.json.");
      }
      show_model(options->path, options->json, streams.out);
      return 0;
    };
  });
}

}  // namespace attnscope::cli
