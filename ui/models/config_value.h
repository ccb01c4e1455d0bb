#pragma once
#include <optional>

#include <QString>

#include "config/node.h"
#include "config/schema.h"
#include "worker/convert.h"

namespace attnscope::ui {

// How a value is edited: what the schema says of it, else what it is.
enum class ValueType { Dict, List, Boolean, Integer, Number, Text, LongText, Path, Color, Choice, Expression, Yaml };

ValueType valueType(const ConfigNode& node, const SchemaEntry* entry);
// Several lines, or more than is read well in one.
bool isLongText(const std::string& text);
// "whole number", "text": for menus and tooltips.
QString typeName(ValueType type);

// A value as a cell shows it: text without quotes where it cannot be mistaken for another type, numbers as they are
// written, what is in a list or dict.
QString valueText(const ConfigNode& node);
// A scalar without quotes: a text itself, anything else as it is written.
QString rawText(const ConfigNode& node);
// A value as its editor starts with it; reads back with parseValue() as the same value.
QString editText(const ConfigNode& node, ValueType type);

struct ParsedValue {
  std::optional<ConfigNode> node;
  QString error;  // why there is none: what may stand there
};
// What was typed, as a value of that type; within the range and choices of the schema, where there is one.
ParsedValue parseValue(const QString& text, ValueType type, const SchemaEntry* entry);

// `30`, `"30"`, `true`, `null`: one YAML scalar.
ParsedValue parseYamlScalar(const QString& text);

// The number `steps` steps away, in the notation that `text` has ("3e-5" → "4e-5"), within the range; `text` itself
// when it is no number. Without a step in the schema the last digit that is written counts.
QString steppedNumber(const QString& text, int steps, bool integer, const SchemaEntry* entry);

// "a number from 0 to 1", "one of a, b"; empty when nothing is known.
QString expectedText(const SchemaEntry* entry);

// A first value for something new of that type.
ConfigNode emptyValue(ValueType type);

// A value as one of another type, as far as it can be read as that; else a first value.
ConfigNode convertedValue(const ConfigNode& node, ValueType type);

}  // namespace attnscope::ui
