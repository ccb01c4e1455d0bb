#pragma once
#include <cstdint>
#include <string>

namespace attnscope {

// Unicode as transformers' tokenizer sees it, whatever the age of the system's utf8proc and PCRE2. The library behind
// transformers 5.24 (tokenizers 0.23) has Unicode 16 letters and numbers, Unicode 17 lower case, Unicode 9 NFC.

// Whether NFC leaves `c` alone and starts anew behind it: combining marks younger than Unicode 9.
bool is_nfc_inert(int32_t c);

// Simple lower case of one character; U+0130, which has two, is the caller's.
int32_t lower_case(int32_t c);

// The insides of regular expression classes for PCRE2 with UCP.
std::string letter_class();
std::string number_class();

}  // namespace attnscope
