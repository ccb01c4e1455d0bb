#include "models/config_value.h"

#include <algorithm>
#include <cmath>

#include <QColor>
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include "config/scalar.h"
#include "config/writer.h"

namespace attnscope::ui {

namespace {

constexpr int kPreviewItems = 8;
constexpr int kLongText = 120;  // characters that are hard to read in one line

QString say(const char* text) { return QCoreApplication::translate("ConfigValue", text); }

bool isHexColor(const std::string& text) {
  if (text.size() != 7 || text[0] != '#') return false;
  return std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c); });
}

QString containerText(const ConfigNode& node) {
  QStringList parts;
  if (node.is_dict()) {
    for (const auto& [key, value] : node.members()) {
      if (parts.size() == kPreviewItems) break;
      parts << qstr(key.text());
    }
  } else {
    for (const ConfigNode& item : node.items()) {
      if (parts.size() == kPreviewItems) break;
      parts << (item.is_dict() ? QStringLiteral("{…}") : item.is_list() ? QStringLiteral("[…]") : valueText(item));
    }
  }
  const std::size_t count = node.is_dict() ? node.members().size() : node.items().size();
  if (count > std::size_t(parts.size())) parts << QStringLiteral("…");
  const QString inside = parts.join(QStringLiteral(", "));
  return node.is_dict() ? QStringLiteral("{%1}").arg(inside) : QStringLiteral("[%1]").arg(inside);
}

ParsedValue failed(const QString& error) { return {std::nullopt, error}; }

ConfigNode written(ConfigNode node, const std::string& text) {
  node.set_text(text);
  return node;
}

bool inRange(double value, const SchemaEntry* entry) {
  return !entry || (value >= entry->range.low && value <= entry->range.high);
}

ParsedValue parseNumber(const std::string& text, bool integer, const SchemaEntry* entry) {
  const QString expected = entry     ? expectedText(entry)
                           : integer ? say("a whole number, such as 30")
                                     : say("a number, such as 7.5 or 3e-5");
  if (const std::optional<ConfigNode> whole = parse_integer(text)) {
    bool ok = false;
    const double value = qstr(whole->digits()).toDouble(&ok);
    return inRange(value, entry) ? ParsedValue{written(*whole, text), {}} : failed(expected);
  }
  if (integer) return failed(expected);
  const std::optional<double> value = parse_float(text);
  if (!value || !inRange(*value, entry)) return failed(expected);
  return {written(ConfigNode(*value), text), {}};
}

// A quoted scalar; JSON's escapes are the ones that people use.
ParsedValue parseQuoted(const QString& text) {
  const QChar quote = text.front();
  if (text.size() < 2 || !text.endsWith(quote)) return failed(say("The quote that opens must also close."));
  if (quote == QLatin1Char('\'')) {
    const QString inner = text.mid(1, text.size() - 2);
    QString rest = inner;
    if (rest.remove(QStringLiteral("''")).contains(quote))
      return failed(say("A quote inside single quotes is written twice."));
    return {ConfigNode(QString(inner).replace(QStringLiteral("''"), QStringLiteral("'")).toStdString()), {}};
  }
  const QJsonArray array = QJsonDocument::fromJson((QLatin1Char('[') + text + QLatin1Char(']')).toUtf8()).array();
  if (array.size() != 1 || !array[0].isString()) return failed(say("Not a text in double quotes."));
  return {ConfigNode(array[0].toString().toStdString()), {}};
}

// Of a value that nothing is known of.
ValueType byKind(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::boolean: return ValueType::Boolean;
    case ConfigNode::Kind::integer: return ValueType::Integer;
    case ConfigNode::Kind::floating: return ValueType::Number;
    case ConfigNode::Kind::string: {
      if (node.is_missing()) return ValueType::Yaml;
      const std::string& text = node.as_string();
      if (isHexColor(text)) return ValueType::Color;
      return isLongText(text) ? ValueType::LongText : ValueType::Text;
    }
    default: return ValueType::Yaml;
  }
}

// Whether scalars of more than one type may stand there, so that only YAML's own rules tell which is meant.
bool severalScalars(const SchemaEntry& entry) {
  const auto isScalar = [](SchemaEntry::Type type) {
    return type != SchemaEntry::Type::list && type != SchemaEntry::Type::dict;
  };
  return isScalar(entry.type) && std::any_of(entry.also.begin(), entry.also.end(), isScalar);
}

}  // namespace

bool isLongText(const std::string& text) { return text.size() > kLongText || text.find('\n') != std::string::npos; }

ValueType valueType(const ConfigNode& node, const SchemaEntry* entry) {
  if (node.is_dict()) return ValueType::Dict;
  if (node.is_list()) return ValueType::List;
  if (node.is_interpolation()) return ValueType::Expression;
  const bool isText = node.kind() == ConfigNode::Kind::string && !node.is_missing();
  if (entry && severalScalars(*entry)) return isText ? ValueType::Yaml : byKind(node);
  if (entry) {
    switch (entry->type) {
      case SchemaEntry::Type::boolean: return ValueType::Boolean;
      case SchemaEntry::Type::integer: return ValueType::Integer;
      case SchemaEntry::Type::number: return ValueType::Number;
      case SchemaEntry::Type::path: return ValueType::Path;
      case SchemaEntry::Type::color: return ValueType::Color;
      case SchemaEntry::Type::choice: return ValueType::Choice;
      case SchemaEntry::Type::text:
        return entry->multiline || (isText && node.as_string().size() > kLongText) ? ValueType::LongText
                                                                                   : ValueType::Text;
      default: break;
    }
  }
  return byKind(node);
}

QString typeName(ValueType type) {
  switch (type) {
    case ValueType::Dict: return say("dict");
    case ValueType::List: return say("list");
    case ValueType::Boolean: return say("true or false");
    case ValueType::Integer: return say("whole number");
    case ValueType::Number: return say("number");
    case ValueType::Text:
    case ValueType::LongText: return say("text");
    case ValueType::Path: return say("path");
    case ValueType::Color: return say("colour");
    case ValueType::Choice: return say("choice");
    case ValueType::Expression: return say("expression");
    case ValueType::Yaml: return say("YAML value");
  }
  return {};
}

QString valueText(const ConfigNode& node) {
  if (!node.is_scalar()) return containerText(node);
  if (node.is_null()) return QStringLiteral("null");
  if (node.kind() != ConfigNode::Kind::string) return qstr(node.text());
  const std::string& text = node.as_string();
  if (node.is_literal() || text.empty() || parse_plain_scalar(text).kind() != ConfigNode::Kind::string)
    return QLatin1Char('"') + qstr(text) + QLatin1Char('"');
  return qstr(text).replace(QLatin1Char('\n'), QStringLiteral(" ⏎ "));
}

QString rawText(const ConfigNode& node) {
  return qstr(node.kind() == ConfigNode::Kind::string ? node.as_string() : node.text());
}

QString editText(const ConfigNode& node, ValueType type) {
  if (!node.is_scalar()) return {};
  if (type == ValueType::Yaml) {
    if (node.is_missing() || node.is_null()) return {};
    if (node.kind() == ConfigNode::Kind::string) return qstr(scalar_to_yaml(node));
  }
  return node.is_missing() || node.is_null() ? QString() : rawText(node);
}

ParsedValue parseYamlScalar(const QString& typed) {
  const QString text = typed.trimmed();
  if (text.isEmpty()) return {ConfigNode(), {}};
  const QChar first = text.front();
  if (first == QLatin1Char('"') || first == QLatin1Char('\'')) return parseQuoted(text);
  if (QStringLiteral("[]{},&*!|>%@`#").contains(first) || text.contains(QLatin1String(": ")) ||
      text.contains(QLatin1String(" #")) || text.endsWith(QLatin1Char(':')) || text.startsWith(QLatin1String("- ")))
    return failed(
        say("One value: a number, true, null, or text; text with such characters goes in quotes. Whole lists "
            "and dicts can be pasted."));
  const std::string plain = text.toStdString();
  ConfigNode node = parse_plain_scalar(plain);
  if (node.kind() != ConfigNode::Kind::string) node.set_text(plain);
  return {std::move(node), {}};
}

ParsedValue parseValue(const QString& typed, ValueType type, const SchemaEntry* entry) {
  const QString text = typed.trimmed();
  if (text.contains(QLatin1String("${"))) return {ConfigNode(typed.toStdString()), {}};
  if (text == QLatin1String("???")) return {ConfigNode("???"), {}};
  const bool isNull = text == QLatin1String("null") || text == QLatin1String("~");
  if (isNull && entry && entry->nullable && type != ValueType::Text && type != ValueType::LongText)
    return {ConfigNode(), {}};
  switch (type) {
    case ValueType::Integer: return parseNumber(text.toStdString(), true, entry);
    case ValueType::Number: return parseNumber(text.toStdString(), false, entry);
    case ValueType::Boolean: {
      const std::optional<bool> value = parse_boolean(text.toStdString());
      return value ? ParsedValue{ConfigNode(*value), {}} : failed(say("true or false"));
    }
    case ValueType::Choice:
      if (entry && std::find(entry->choices.begin(), entry->choices.end(), text.toStdString()) == entry->choices.end())
        return failed(expectedText(entry));
      return {ConfigNode(text.toStdString()), {}};
    case ValueType::Color:
      if (!QColor::isValidColorName(text)) return failed(say("a colour, such as #2f6fd0 or orange"));
      return {ConfigNode(text.toStdString()), {}};
    case ValueType::Expression:
      if (entry && entry->type != SchemaEntry::Type::any)
        return parseValue(typed, valueType(ConfigNode(""), entry), entry);
      return parseYamlScalar(typed);
    case ValueType::Yaml: return parseYamlScalar(typed);
    default: return {ConfigNode(typed.toStdString()), {}};
  }
}

QString steppedNumber(const QString& typed, int steps, bool integer, const SchemaEntry* entry) {
  const QString text = typed.trimmed();
  static const QRegularExpression form(QStringLiteral("^([+-]?)(\\d*)(?:\\.(\\d*))?(?:([eE])([+-]?\\d+))?$"));
  const QRegularExpressionMatch match = form.match(text);
  if (!match.hasMatch() || (match.captured(2) + match.captured(3)).isEmpty()) return typed;
  const double low = entry ? entry->range.low : -INFINITY, high = entry ? entry->range.high : INFINITY;
  const bool plainDigits = !match.hasCaptured(3) && !match.hasCaptured(4);
  const double step = entry ? entry->step : 0;
  if (plainDigits && (integer || step == 0 || step == std::floor(step))) {
    const qint64 by = qint64(steps) * (step >= 1 ? qint64(step) : 1);
    bool ok = false;
    if (const qlonglong value = text.toLongLong(&ok); ok) {
      qint64 sum = 0;
      if (__builtin_add_overflow(qint64(value), by, &sum)) return typed;
      return double(sum) >= low && double(sum) <= high ? QString::number(sum) : typed;
    }
    if (const qulonglong value = text.toULongLong(&ok); ok) {
      quint64 sum = 0;
      if (__builtin_add_overflow(quint64(value), by, &sum)) return typed;
      return double(sum) >= low && double(sum) <= high ? QString::number(sum) : typed;
    }
    return typed;
  }
  const QString fraction = match.captured(3);
  QString result;
  if (match.hasCaptured(4) || step == 0) {
    bool ok = false;  // the last digit that is written
    const qlonglong mantissa = (match.captured(1) + match.captured(2) + fraction).toLongLong(&ok) + steps;
    if (!ok) return typed;
    QString digits = QString::number(std::abs(mantissa)).rightJustified(fraction.size() + 1, QLatin1Char('0'));
    if (match.hasCaptured(3)) digits.insert(digits.size() - fraction.size(), QLatin1Char('.'));
    result = (mantissa < 0 ? QStringLiteral("-") : QString()) + digits;
    if (match.hasCaptured(4)) result += match.captured(4) + match.captured(5);
  } else {
    const QString stepText = QString::number(step, 'f', 12).remove(QRegularExpression(QStringLiteral("\\.?0+$")));
    const int decimals = std::max(int(fraction.size()), int(stepText.section(QLatin1Char('.'), 1).size()));
    result = QString::number(text.toDouble() + steps * step, 'f', std::max(decimals, integer ? 0 : 1));
  }
  const double value = result.toDouble();
  return value >= low && value <= high ? result : typed;
}

QString expectedText(const SchemaEntry* entry) { return entry ? qstr(entry->expected()) : QString(); }

ConfigNode emptyValue(ValueType type) {
  switch (type) {
    case ValueType::Dict: return ConfigNode(ConfigNode::Dict{});
    case ValueType::List: return ConfigNode(ConfigNode::List{});
    case ValueType::Boolean: return ConfigNode(false);
    case ValueType::Integer: return ConfigNode(0);
    case ValueType::Number: return written(ConfigNode(0.0), "0.0");
    case ValueType::Text:
    case ValueType::LongText:
    case ValueType::Path:
    case ValueType::Choice: return ConfigNode("");
    case ValueType::Color: return ConfigNode("#000000");
    default: return ConfigNode();
  }
}

ConfigNode convertedValue(const ConfigNode& node, ValueType type) {
  if (type == ValueType::List) {
    if (node.is_list()) return node;
    return node.is_scalar() && !node.is_null() ? ConfigNode(ConfigNode::List{node}) : emptyValue(type);
  }
  if (type == ValueType::Yaml || !node.is_scalar() || node.is_null() || node.is_missing()) return emptyValue(type);
  if (type == ValueType::Text) return ConfigNode(rawText(node).toStdString());
  return parseValue(rawText(node), type, nullptr).node.value_or(emptyValue(type));
}

}  // namespace attnscope::ui
