#include "config/schema_reference.h"

namespace attnscope {
namespace {

// Text for a table cell: what Markdown takes for markup is escaped, except in `code`.
std::string markdown(const std::string& text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (c == '|' || (!code && (c == '*' || c == '_' || c == '<' || c == '\\'))) out += '\\';
    out += c;
  }
  return out;
}

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string default_cell(const SchemaEntry& entry) {
  if (entry.required) return "required";
  return entry.default_value ? markdown(code(value_text(*entry.default_value))) : "";
}

void add_row(const SchemaEntry& entry, const std::string& key, std::string& out) {
  out += "| " + markdown(code(key)) + " | " + markdown(entry.expected()) + " | " + default_cell(entry) + " | " +
         markdown(entry.help) + " |\n";
}

// Rows of all that is below an entry.
void add_rows(const SchemaEntry& entry, const std::string& path, std::string& out) {
  for (const SchemaEntry& member : entry.members) {
    const std::string key = join_key(path, member.name);
    add_row(member, key, out);
    add_rows(member, key, out);
  }
  for (const SchemaEntry& item : entry.items) add_rows(item, path + "[]", out);
}

constexpr const char* table_head = "| key | value | default | meaning |\n| --- | --- | --- | --- |\n";

bool has_keys(const SchemaEntry& entry) {
  for (const SchemaEntry& item : entry.items)
    if (has_keys(item)) return true;
  return !entry.members.empty();
}

// What a section's key itself takes, where that is more than a dict that may be there.
std::string value_sentence(const SchemaEntry& entry) {
  const std::string kind = entry.expected();
  if (kind == "a dict" && !entry.required && !entry.default_value) return {};
  std::string text = " It is " + markdown(kind) + (entry.required ? ", required" : "");
  if (entry.default_value) text += "; by default " + markdown(code(value_text(*entry.default_value)));
  return text + ".";
}

std::string anchor(const std::string& title) {
  std::string out;
  for (const char c : title)
    if (c == ' ')
      out += '-';
    else
      out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

}  // namespace

std::string schema_reference(const ConfigSchema& schema) {
  std::string out = "## " + schema.title() + "\n\n" + markdown(schema.help()) + "\n";
  std::string rows, sections;
  for (const SchemaEntry& entry : schema.root().members) {
    if (!has_keys(entry)) {
      add_row(entry, entry.name, rows);
      continue;
    }
    sections += "\n### " + markdown(code(entry.name)) + "\n\n" + markdown(entry.help) + value_sentence(entry) + "\n\n" +
                table_head;
    add_rows(entry, entry.name, sections);
  }
  if (!rows.empty()) out += "\n" + std::string(table_head) + rows;
  return out + sections;
}

std::string schema_reference() {
  std::string out =
      "# Config reference\n\n"
      "The keys of AttnScope's own configs and of the config files of other programs that it knows. `attnscope-cli "
      "config\n"
      "reference` prints this page; it is made from [resources/schemas](../resources/schemas/README.md).\n\n"
      "`a.b` is a key `b` below `a`, `a.*` any key below it, `a[].b` the key `b` of each item of a list.\n\n";
  for (const ConfigSchema& schema : ConfigSchema::all())
    out += "- [" + schema.title() + "](#" + anchor(schema.title()) + ")\n";
  for (const ConfigSchema& schema : ConfigSchema::all()) out += "\n" + schema_reference(schema);
  return out;
}

}  // namespace attnscope
