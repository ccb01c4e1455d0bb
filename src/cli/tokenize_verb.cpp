#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/verbs.h"
#include "loaders/diffusers_folder.h"
#include "models/words.h"

namespace attnscope::cli {

void add_tokenize(CLI::App& app, const Streams& streams, Action& action) {
  struct Options {
    std::string model, text;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("tokenize", "Print a prompt's tokens and words as JSON.");
  verb->add_option("--model", options->model, "A pipeline folder, or its tokenizer folder")->required();
  verb->add_option("text", options->text, "The prompt")->required();
  verb->callback([options, &streams, &action] {
    action = [options, &streams] {
      const ClipTokenizer tokenizer(resolve_component(options->model, "tokenizer"));
      streams.out << tokenize_json(tokenizer, options->text).dump(2) << "\n";
      return 0;
    };
  });
}

}  // namespace attnscope::cli
