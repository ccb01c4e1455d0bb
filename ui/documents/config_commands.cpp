#include "documents/config_commands.h"

#include <utility>

#include "documents/config_document.h"

namespace attnscope::ui {

ConfigPatchCommand::ConfigPatchCommand(ConfigDocument& document, const QString& name, BytePatches patches,
                                       PatchOrigin origin, int typing)
    : QUndoCommand(name), m_document(document), m_steps{std::move(patches)}, m_origin(origin), m_typing(typing) {}

void ConfigPatchCommand::redo() {
  const PatchOrigin origin = std::exchange(m_origin, PatchOrigin::History);
  for (const BytePatches& step : std::as_const(m_steps)) m_document.applyPatches(step, origin);
}

void ConfigPatchCommand::undo() {
  for (auto step = m_steps.crbegin(); step != m_steps.crend(); ++step)
    m_document.applyPatches(inverse(*step), PatchOrigin::History);
}

bool ConfigPatchCommand::mergeWith(const QUndoCommand* other) {
  const auto* next = static_cast<const ConfigPatchCommand*>(other);
  if (next->m_typing != m_typing) return false;
  m_steps += next->m_steps;
  return true;
}

ConfigLayersCommand::ConfigLayersCommand(ConfigDocument& document, const QString& name, const QList<LayerSpec>& layers)
    : QUndoCommand(name), m_document(document), m_before(document.layers()), m_after(layers) {}

void ConfigLayersCommand::redo() { m_document.applyLayers(m_after); }

void ConfigLayersCommand::undo() { m_document.applyLayers(m_before); }

}  // namespace attnscope::ui
