#pragma once
#include <QIcon>

namespace attnscope::ui {

// resources/icons/<name>.svg, drawn in the palette's text colour (dimmed when disabled) at any size and theme.
QIcon icon(const QString& name);

}  // namespace attnscope::ui
