#include "io/pickle_stream.h"

#include <cstdint>
#include <cstring>
#include <set>

#include "base/error.h"

namespace attnscope {
namespace {

constexpr std::string_view kOrderedDict = "ccollections\nOrderedDict\n";

class Rewriter {
 public:
  Rewriter(std::string_view pickle, const std::string& file) : pickle_(pickle), file_(file) {}

  PickleStream run() {
    for (;;) {
      const std::string_view op = next();
      const char code = op.front();
      if (op == kOrderedDict) {
        ordered_dict(true);
      } else if ((code == 'h' || code == 'j') && ordered_dict_memos_.count(memo(op))) {
        ordered_dict(false);
      } else if (code == 'b') {
        out_ += '\x86';  // TUPLE2 instead of BUILD
      } else {
        if (code == 'q' || code == 'r') {
          // libtorch makes room for every number up to this one, but they count up.
          if (memo(op) > pickle_.size()) damaged("has an impossible memo number");
          ordered_dict_memos_.erase(memo(op));
        }
        out_ += op;
        if (code == '.') return {std::move(out_), at_};
      }
    }
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const {
    throw LoadError("the pickle " + what, file_, {}, "The file is damaged or is not a state dict.");
  }

  // The class has been pushed; what may follow is its memo, then the call without arguments.
  void ordered_dict(bool may_be_memoized) {
    std::string_view op = next();
    if (may_be_memoized && (op.front() == 'q' || op.front() == 'r')) {
      ordered_dict_memos_.insert(memo(op));
      op = next();
    }
    if (op != ")" || next() != "R") damaged("holds an OrderedDict that is not made empty");
    out_ += '}';
  }

  // The next opcode with its arguments.
  std::string_view next() {
    if (at_ >= pickle_.size()) damaged("is cut off");
    const std::size_t length = 1 + argument_bytes(pickle_[at_]);
    if (length > pickle_.size() - at_) damaged("is cut off");
    const std::string_view op = pickle_.substr(at_, length);
    at_ += length;
    return op;
  }

  std::size_t argument_bytes(char code) const {
    switch (code) {
      case '.':
      case '(':
      case ')':
      case '}':
      case ']':
      case 't':
      case 'd':
      case 'l':
      case 'a':
      case 'e':
      case 's':
      case 'u':
      case 'N':
      case 'Q':
      case 'R':
      case 'b':
      case '\x81':
      case '\x85':
      case '\x86':
      case '\x87':
      case '\x88':
      case '\x89': return 0;
      case 'K':
      case 'q':
      case 'h':
      case '\x80': return 1;
      case 'M': return 2;
      case 'J':
      case 'r':
      case 'j': return 4;
      case 'G': return 8;
      case 'U':
      case '\x8a': return 1 + counted(1);
      case 'X':
      case 'T': return 4 + counted(4);
      case 'c': {
        const auto module_end = pickle_.find('\n', at_);
        const auto name_end = module_end == std::string_view::npos ? module_end : pickle_.find('\n', module_end + 1);
        if (name_end == std::string_view::npos) damaged("is cut off");
        return name_end - at_;
      }
      default: {
        static constexpr char kHex[] = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(code);
        damaged(std::string("holds the opcode 0x") + kHex[byte >> 4] + kHex[byte & 15] +
                ", which torch.save does not write");
      }
    }
  }

  // A little-endian number of `bytes` bytes after the opcode.
  std::size_t counted(std::size_t bytes) const {
    if (bytes >= pickle_.size() - at_) damaged("is cut off");
    uint32_t value = 0;
    std::memcpy(&value, pickle_.data() + at_ + 1, bytes);
    return value;
  }

  static uint32_t memo(std::string_view op) {
    uint32_t value = 0;
    std::memcpy(&value, op.data() + 1, op.size() - 1);
    return value;
  }

  std::string_view pickle_;
  const std::string& file_;
  std::string out_;
  std::set<uint32_t> ordered_dict_memos_;
  std::size_t at_ = 0;
};

}  // namespace

PickleStream plain_dicts(std::string_view pickle, const std::string& file) { return Rewriter(pickle, file).run(); }

}  // namespace attnscope
