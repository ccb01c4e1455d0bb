#include "io/json_file.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/mapped_file.h"

namespace attnscope {
namespace {

// "line:column" from 1 of the byte at `offset`.
std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto start = before.rfind('\n');
  const auto column = 1 + before.size() - (start == std::string_view::npos ? 0 : start + 1);
  return std::to_string(line) + ":" + std::to_string(column);
}

// The library's message without its id and place, which are ours to give.
std::string reason(const std::string& what) {
  const auto colon = what.find(": ", what.find("at line"));
  return colon == std::string::npos ? what : what.substr(colon + 2);
}

template <class Json>
Json parse(std::string_view text, const std::string& source) {
  std::vector<std::unordered_set<std::string>> open_objects;
  const auto refuse_duplicates = [&](int, typename Json::parse_event_t event, Json& value) {
    using Event = typename Json::parse_event_t;
    if (event == Event::object_start) open_objects.emplace_back();
    if (event == Event::object_end) open_objects.pop_back();
    if (event == Event::key && !open_objects.back().insert(value.template get<std::string>()).second) {
      throw LoadError("the name is given twice", source, value.template get<std::string>());
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_duplicates);
  } catch (const nlohmann::json::parse_error& error) {
    throw LoadError("not valid JSON: " + reason(error.what()),
                    source + ":" + line_and_column(text, error.byte > 0 ? error.byte - 1 : 0));
  } catch (const nlohmann::json::exception& error) {
    throw LoadError("not valid JSON: " + std::string(error.what()), source);
  }
}

}  // namespace

nlohmann::json read_json_file(const std::string& path) { return parse<nlohmann::json>(read_file(path), path); }

nlohmann::ordered_json read_ordered_json_file(const std::string& path) {
  return parse<nlohmann::ordered_json>(read_file(path), path);
}

nlohmann::json parse_json(std::string_view text, const std::string& source) {
  return parse<nlohmann::json>(text, source);
}

void write_json_file(const std::string& path, const nlohmann::ordered_json& value) {
  // Text from elsewhere (a prompt on the command line) may not be UTF-8; a mark is better than no file.
  write_file_atomic(path, value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace attnscope
