#pragma once
#include <string>

#include "config/schema.h"

namespace attnscope {

// Every key of one kind of config, in Markdown: a heading of level 2, and tables of key, what may stand there, default
// and meaning.
std::string schema_reference(const ConfigSchema& schema);

// The whole page, docs/config-reference.md.
std::string schema_reference();

}  // namespace attnscope
