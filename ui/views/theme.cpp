#include "views/theme.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>

namespace attnscope::ui::theme {

namespace {

Kind currentKind = Kind::System;

// `part` percent of one colour, the rest of another.
QColor mixed(const QColor& one, const QColor& other, int part) {
  const auto mix = [part](int a, int b) { return (a * part + b * (100 - part)) / 100; };
  return QColor(mix(one.red(), other.red()), mix(one.green(), other.green()), mix(one.blue(), other.blue()));
}

QPalette makePalette(const QColor& window, const QColor& base, const QColor& button, const QColor& text,
                     const QColor& accent, const QColor& tip, const QColor& tipText) {
  QPalette p(button, window);
  const QColor faded = mixed(text, window, 50);
  for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(role, text);
    p.setColor(QPalette::Disabled, role, faded);
  }
  p.setColor(QPalette::Base, base);
  p.setColor(QPalette::AlternateBase, mixed(base, window, 75));
  p.setColor(QPalette::PlaceholderText, mixed(text, window, 63));
  p.setColor(QPalette::Highlight, accent);
  p.setColor(QPalette::Disabled, QPalette::Highlight, faded);
  p.setColor(QPalette::HighlightedText, Qt::white);
  p.setColor(QPalette::Link, accent.lighter(isDark(p) ? 140 : 100));
  p.setColor(QPalette::ToolTipBase, tip);
  p.setColor(QPalette::ToolTipText, tipText);
  return p;
}

QPalette lightPalette() {
  return makePalette(QColor(0xeff1f4), Qt::white, QColor(0xf6f7f9), QColor(0x1d2129), QColor(0x2f6fd0),
                     QColor(0x22262d), QColor(0xf1f3f6));
}

QPalette darkPalette() {
  return makePalette(QColor(0x24272d), QColor(0x1a1c20), QColor(0x32363d), QColor(0xe3e6ea), QColor(0x3b78d8),
                     QColor(0x101215), QColor(0xeceff2));
}

QColor pick(const QPalette& palette, QRgb light, QRgb dark) { return QColor(isDark(palette) ? dark : light); }

}  // namespace

void apply(Kind kind) {
  static const QString systemStyle = QApplication::style()->objectName();
  currentKind = kind;
  if (kind == Kind::System) {
    QApplication::setStyle(systemStyle);
    QApplication::setPalette(QPalette());  // the platform's again
    return;
  }
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QApplication::setPalette(kind == Kind::Dark ? darkPalette() : lightPalette());
}

Kind current() { return currentKind; }

bool isDark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QColor dimmed(const QPalette& palette) {
  return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 63);
}

QColor changed(const QPalette& palette) { return pick(palette, 0xb35c00, 0xf0a53a); }
QColor broken(const QPalette& palette) { return pick(palette, 0xc62828, 0xff6b61); }
QColor proven(const QPalette& palette) { return pick(palette, 0x1b8a4f, 0x46c987); }
QColor canvas(const QPalette& palette) { return pick(palette, 0xdde1e7, 0x16181b); }

QColor line(const QPalette& palette) {
  return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 22);
}

QColor word(const QPalette& palette, int n) {
  // Hues far apart for the common kinds of colour blindness, two lightnesses.
  static constexpr QRgb light[] = {0x1b8a5a, 0x2f6fd0, 0xb35c00, 0x8e44ad, 0xb03060, 0x00808a};
  static constexpr QRgb dark[] = {0x35b37e, 0x6aa5ff, 0xf0a53a, 0xc58af0, 0xff7aa8, 0x3fc6d0};
  const int i = n % 6;
  return QColor(isDark(palette) ? dark[i] : light[i]);
}

QColor token(const QPalette& palette, YamlToken token) {
  switch (token) {
    case YamlToken::Key: return pick(palette, 0x1f5bb5, 0x7fb2ff);
    case YamlToken::Text: return pick(palette, 0x1a7345, 0x7fd6a4);
    case YamlToken::Number: return pick(palette, 0x8a4600, 0xf2b866);
    case YamlToken::Constant: return pick(palette, 0x7d3a9e, 0xd0a2f5);
    case YamlToken::Missing: return pick(palette, 0xa04f00, 0xf0a53a);
    case YamlToken::Comment: return mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 68);
    case YamlToken::Reference: return pick(palette, 0x00727c, 0x5fd3dd);
    case YamlToken::Tag: return pick(palette, 0x00727c, 0x5fd3dd);
    case YamlToken::Expression: return pick(palette, 0xa82a5a, 0xff92b8);
    case YamlToken::Mark: return mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 72);
  }
  return palette.color(QPalette::Text);
}

QColor tint(const QPalette& palette, const QColor& color, int strength) {
  return mixed(color, palette.color(QPalette::Base), strength);
}

QColor onColor(const QColor& background) {
  const double luminance = 0.299 * background.red() + 0.587 * background.green() + 0.114 * background.blue();
  return luminance > 150 ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace attnscope::ui::theme
