#include "models/config_tree_rows.h"

// What a row's tooltip says.
namespace attnscope::ui {

QString ConfigTreeModel::tip(const QModelIndex& index) const {
  const Row& row = *rowOf(index);
  const ConfigNode& node = *row.child.node;
  const QString path = pathText(&row);
  QStringList lines{path};
  for (const ConfigIssue* issue : m_issues.value(path))
    lines << (issue->hint.isEmpty() ? issue->message : tr("%1. %2").arg(issue->message, issue->hint));
  const SchemaEntry* entry = entryAt(index);
  if (node.is_missing() && !entry) lines << tr("??? stands for a value that must be given.");
  const ResolvedText resolved = node.is_interpolation() ? m_snapshot.resolved.value(path) : ResolvedText();
  if (!resolved.text.isEmpty()) lines << tr("%1 is %2").arg(qstr(node.as_string()), resolved.text);
  if (!resolved.error.isEmpty() && !m_issues.contains(path)) lines << resolved.error;
  if (!node.is_interpolation() && node.kind() == ConfigNode::Kind::string && node.as_string().size() > 40)
    lines << qstr(node.as_string());
  if (entry) lines << qstr(entry->summary()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  lines << sourceTip(row);
  return lines.join(QLatin1Char('\n'));
}

// Every layer that gives the value: the one in force, then what it hides.
QStringList ConfigTreeModel::sourceTip(const Row& row) const {
  const auto place = [](const ConfigPlace& p) {
    QString text = qstr(p.file);
    if (p.line > 0) text += QLatin1Char(':') + QString::number(p.line);
    if (p.line > 0 && p.column > 0) text += QLatin1Char(':') + QString::number(p.column);
    return text;
  };
  QStringList lines;
  if (m_snapshot.merged) {
    for (const MergedConfig::Source& source : m_snapshot.merged->blame(pathOf(&row))) {
      const ConfigLayer& layer = m_snapshot.merged->layers()[source.layer];
      QString from =
          layer.kind == ConfigLayer::Kind::overrides ? tr("override %1").arg(qstr(layer.name)) : place(source.place);
      if (layer.kind == ConfigLayer::Kind::base) from = tr("%1 (base)").arg(from);
      lines << (lines.isEmpty() ? tr("from %1").arg(from) : tr("hides %1 of %2").arg(valueText(source.value), from));
    }
  }
  if (lines.isEmpty() && !row.child.node->place().file.empty())
    lines << tr("from %1").arg(place(row.child.node->place()));
  return lines;
}

}  // namespace attnscope::ui
