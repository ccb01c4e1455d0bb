// What libyaml's parser says, in our words.
#include <new>

#include "config/yaml_events.h"

namespace attnscope {
namespace {

struct Explanation {
  std::string_view problem;  // libyaml's
  const char* says;          // with @ for the line of what it was reading
  const char* hint;
};

constexpr const char* kQuoteColon = "Put text that holds \": \" in quotes.";
constexpr const char* kQuotePercent = "Put text that begins with % in quotes.";
constexpr const char* kQuoteTag = "Put text that begins with ! in quotes.";
constexpr const char* kCheckIndent = "Check the indentation of this line.";
constexpr const char* kClose = "Close it, or put text that holds special characters in quotes.";
constexpr const char* kBackslash = "In double quotes write a backslash twice, or use single quotes.";

constexpr Explanation kExplanations[] = {
    {"could not find expected ':'", "there is no \":\" after the key in line @", "Write key: value."},
    {"block sequence entries are not allowed in this context", "a list item cannot stand here",
     "Put text that begins with \"- \" in quotes."},
    {"mapping keys are not allowed in this context", "a key cannot stand here", ""},
    {"mapping values are not allowed in this context", "a second \": \" in one line", kQuoteColon},
    {"could not find expected directive name", "a line that begins with % must name a directive", kQuotePercent},
    {"found unexpected non-alphabetical character", "a directive's name cannot hold this character", kQuotePercent},
    {"found unknown directive name", "this directive is not known", kQuotePercent},
    {"did not find expected comment or line break", "nothing but a comment may follow in this line", ""},
    {"did not find expected version number", "%YAML needs a version such as 1.1", ""},
    {"did not find expected digit or '.' character", "%YAML needs a version such as 1.1", ""},
    {"did not find expected alphabetic or numeric character", "the name after & or * may hold letters, digits, - and _",
     "Put text that begins with * or & in quotes."},
    {"did not find expected whitespace or line break", "a tag must be followed by a blank", kQuoteTag},
    {"did not find the expected '>'", "the tag is not closed by >", kQuoteTag},
    {"did not find expected tag URI", "the tag has no name", kQuoteTag},
    {"found undefined tag handle", "the tag's handle, up to the second !, is not known", kQuoteTag},
    {"found an indentation indicator equal to 0", "the indentation after | or > is from 1 to 9", ""},
    {"found a tab character where an indentation space is expected", "a tab stands in the indentation", "Use spaces."},
    {"found a tab character that violates indentation", "a tab stands in the indentation", "Use spaces."},
    {"found unexpected document indicator", "a line of --- or ... stands inside the quotes", "Close the quotes."},
    {"found unexpected end of stream", "the quotes of line @ are not closed", "Close the quotes."},
    {"found unexpected ':'", "a \":\" here must be followed by a blank", "Put text that holds \":\" in quotes."},
    {"found unknown escape character", "this escape is not known", kBackslash},
    {"did not find expected hexdecimal number", "this escape needs more hexadecimal digits", kBackslash},
    {"found invalid Unicode character escape code", "the escape is not a Unicode character", kBackslash},
    {"did not find expected <document start>", "text follows after the end of the document", kCheckIndent},
    {"did not find expected node content", "a value is missing here, or this character cannot stand here",
     "Put text that begins with a special character in quotes."},
    {"did not find expected '-' indicator", "the list that begins in line @ cannot go on like this", kCheckIndent},
    {"did not find expected key", "the keys that begin in line @ cannot go on like this",
     "Check the indentation of this line, and quotes before it."},
    {"did not find expected ',' or ']'", "the \"[\" of line @ needs \",\" or \"]\" here", kClose},
    {"did not find expected ',' or '}'", "the \"{\" of line @ needs \",\" or \"}\" here", kClose},
    {"found incompatible YAML document", "only YAML 1.1 and 1.2 are known", ""},
    {"found duplicate %YAML directive", "%YAML stands here twice", ""},
    {"found duplicate %TAG directive", "%TAG stands here twice for one handle", ""},
};

}  // namespace

void throw_yaml_error(const YamlSource& source, const yaml_parser_t& parser) {
  if (parser.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
  const std::string_view problem = parser.problem;
  const YamlMark mark = to_mark(parser.problem_mark);
  std::string says(problem), hint;
  for (const Explanation& explanation : kExplanations) {
    if (explanation.problem != problem) continue;
    says = explanation.says;
    hint = explanation.hint;
  }
  if (const auto at = says.find('@'); at != std::string::npos)
    says = says.substr(0, at) + std::to_string(parser.context_mark.line + 1) + says.substr(at + 1);
  if (problem == "found character that cannot start any token") {
    const bool tab = source.at(mark.index) == U'\t';
    says = "nothing can start here";
    if (!tab) says = "nothing can start with \"" + source.text(mark.index, mark.index + 1) + "\"";
    hint = tab ? "A tab stands in the indentation of this line: use spaces." : "Put the text in quotes.";
  }
  throw ConfigKindError(parser.error == YAML_PARSER_ERROR ? "ParserError" : "ScannerError", "not valid YAML: " + says,
                        source.place(mark), hint);
}

}  // namespace attnscope
