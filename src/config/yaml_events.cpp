#include "config/yaml_events.h"

#include <new>

namespace attnscope {

YamlEvents::YamlEvents(const YamlSource& source) : source_(source) {
  if (!yaml_parser_initialize(&parser_)) throw std::bad_alloc();
  const std::string_view text = source.bytes();
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
}

YamlEvents::~YamlEvents() {
  yaml_event_delete(&event_);
  yaml_parser_delete(&parser_);
}

const yaml_event_t& YamlEvents::next() {
  yaml_event_delete(&event_);
  if (!yaml_parser_parse(&parser_, &event_)) throw_yaml_error(source_, parser_);
  return event_;
}

}  // namespace attnscope
