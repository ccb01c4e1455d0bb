#pragma once
#include <QList>
#include <QUndoCommand>

#include "worker/config_snapshot.h"

namespace attnscope::ui {

class ConfigDocument;

// Where a change of the text comes from, which knows of it already.
enum class PatchOrigin { Pane, Worker, History };

// One change of a document's text.
class ConfigPatchCommand : public QUndoCommand {
 public:
  // `typing`: commands of the same number merge; 0 never.
  ConfigPatchCommand(ConfigDocument& document, const QString& name, BytePatches patches, PatchOrigin origin,
                     int typing = 0);

  void redo() override;
  void undo() override;
  int id() const override { return m_typing == 0 ? -1 : 1; }
  bool mergeWith(const QUndoCommand* other) override;

 private:
  ConfigDocument& m_document;
  QList<BytePatches> m_steps;
  PatchOrigin m_origin;  // of the first time
  int m_typing;
};

// Another list of layers.
class ConfigLayersCommand : public QUndoCommand {
 public:
  ConfigLayersCommand(ConfigDocument& document, const QString& name, const QList<LayerSpec>& layers);

  void redo() override;
  void undo() override;

 private:
  ConfigDocument& m_document;
  QList<LayerSpec> m_before, m_after;
};

}  // namespace attnscope::ui
