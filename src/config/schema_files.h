#pragma once
#include <string_view>
#include <vector>

namespace attnscope {

struct SchemaFile {
  std::string_view name;  // "resources/schemas/run.yaml"
  std::string_view text;
};

// resources/schemas/*.yaml, which the build turns into a source (cmake/EmbedSchemas.cmake).
std::vector<SchemaFile> schema_files();

}  // namespace attnscope
