#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace attnscope {

// LoadError that names the file and line:column: no such file, a folder, not JSON, a key given twice.
nlohmann::json read_json_file(const std::string& path);
// Members keep the file's order.
nlohmann::ordered_json read_ordered_json_file(const std::string& path);

// `source` names the text in messages.
nlohmann::json parse_json(std::string_view text, const std::string& source);

// Atomic, two spaces of indentation, a newline at the end. WriteError names the file.
void write_json_file(const std::string& path, const nlohmann::ordered_json& value);

}  // namespace attnscope
