#pragma once
#include <QColor>
#include <QPalette>

#include "views/yaml_tokens.h"

// Every colour of the window comes from here or from the palette.
namespace attnscope::ui::theme {

enum class Kind { System, Light, Dark };

// Sets the application's palette (and Fusion for the two fixed ones). System gives back what the platform chose.
void apply(Kind kind);
Kind current();

bool isDark(const QPalette& palette);
QColor dimmed(const QPalette& palette);   // text that matters less
QColor changed(const QPalette& palette);  // orange: changed, warning
QColor broken(const QPalette& palette);   // red: failed
QColor proven(const QPalette& palette);   // green: done, checked
QColor canvas(const QPalette& palette);   // around the picture
QColor line(const QPalette& palette);     // thin borders
// The colour of the n-th word shown at once; readable as text on the window and as a tint on a picture.
QColor word(const QPalette& palette, int n);
// The colour of a part of YAML text, readable on Base.
QColor token(const QPalette& palette, YamlToken token);
// A background of that colour on which Text is still read well; `strength` in percent.
QColor tint(const QPalette& palette, const QColor& color, int strength = 16);
QColor onColor(const QColor& background);  // black or white, whichever reads better

}  // namespace attnscope::ui::theme
