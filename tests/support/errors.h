#pragma once
#include <QtTest>
#include <string>

#include "base/error.h"

// `expression` must throw `Type` and its text must contain every one of the strings that follow.
#define VERIFY_THROWS(Type, expression, ...)                                                               \
  do {                                                                                                     \
    std::string text_;                                                                                     \
    try {                                                                                                  \
      static_cast<void>(expression);                                                                       \
    } catch (const Type& error_) {                                                                         \
      text_ = error_.what();                                                                               \
    } catch (const std::exception& error_) {                                                               \
      QFAIL((std::string("another exception: ") + error_.what()).c_str());                                 \
    }                                                                                                      \
    QVERIFY2(!text_.empty(), #expression " did not throw");                                                \
    for (const std::string& part_ : std::initializer_list<std::string>{__VA_ARGS__}) {                     \
      QVERIFY2(text_.find(part_) != std::string::npos, ("\"" + part_ + "\" is not in: " + text_).c_str()); \
    }                                                                                                      \
  } while (false)
