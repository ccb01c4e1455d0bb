#include "documents/run_document.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int kShortWord = 3;  // "a", "on", "the": rarely what one wants to see first

QStringList texts(const RunData& run, const QList<int>& words) {
  QStringList out;
  for (int word : words) out.append(run.words.value(word).text);
  return out;
}

}  // namespace

RunDocument::RunDocument(QObject* parent) : QObject(parent) {}

void RunDocument::setRun(const RunData& run) {
  const bool keep = m_live || run.path == m_run.path;
  const QStringList chosen = keep ? texts(m_run, m_selected) : QStringList();
  m_run = run;
  m_live = false;
  m_maps.clear();
  m_layer.clear();
  const auto known = [&](const QString& name) {
    return std::any_of(run.recipes.begin(), run.recipes.end(), [&](const RecipeInfo& r) { return r.name == name; });
  };
  if (!keep || !known(m_recipe)) m_recipe = known(run.recipe) ? run.recipe : run.recipes.value(0).name;
  m_frame = keep ? std::clamp(m_frame, 0, std::max(0, run.frameCount() - 1)) : 0;
  m_selected.clear();
  for (int i = 0; i < run.words.size(); ++i)
    if (chosen.contains(run.words[i].text) && !m_selected.contains(i)) m_selected.append(i);
  if (m_selected.isEmpty()) selectDefaultWord();
  Q_EMIT runChanged();
  Q_EMIT frameChanged(m_frame);
  Q_EMIT selectionChanged();
  Q_EMIT mapsChanged();
  askForMaps();
}

void RunDocument::clear() {
  m_run = {};
  m_live = false;
  m_frame = 0;
  m_selected.clear();
  m_layer.clear();
  m_maps.clear();
  Q_EMIT runChanged();
  Q_EMIT frameChanged(0);
  Q_EMIT selectionChanged();
  Q_EMIT mapsChanged();
}

void RunDocument::showInput(const QList<QImage>& frames, double fps) {
  clear();
  m_run.sourceFrames = frames;
  m_run.fps = fps;
  Q_EMIT runChanged();
}

void RunDocument::beginLive(const QString& prompt, const QList<QImage>& input, bool previews) {
  const int frame = m_frame;
  clear();
  m_live = true;
  m_previews = previews;
  m_run.prompt = prompt;
  m_run.sourceFrames = input;
  Q_EMIT runChanged();
  setFrame(frame);
}

QImage RunDocument::baseFrame(int frame) const {
  const QImage output = m_run.outputFrames.value(frame);
  return output.isNull() ? m_run.sourceFrames.value(frame) : output;
}

void RunDocument::endLive() {
  if (!m_live) return;
  m_live = false;
  Q_EMIT runChanged();
}

void RunDocument::setPreviews(const QList<PreviewFrame>& previews) {
  if (!m_live || !m_previews) return;
  QList<QImage>& frames = m_run.outputFrames;
  const int before = m_run.frameCount();
  QList<int> changed;
  for (const PreviewFrame& preview : previews) {
    if (preview.frame < 0 || preview.image.isNull()) continue;
    if (preview.frame >= frames.size()) frames.resize(preview.frame + 1);
    frames[preview.frame] = preview.image;
    changed.append(preview.frame);
  }
  if (m_run.frameCount() != before)
    Q_EMIT runChanged();
  else if (!changed.isEmpty())
    Q_EMIT framesChanged(changed);
}

void RunDocument::setLiveMaps(const QList<WordMaps>& words) {
  if (!m_live || words.isEmpty()) return;
  const qsizetype before = m_run.words.size();
  for (const WordMaps& maps : words) {
    const auto same = [&](const WordInfo& word) { return word.text == maps.text; };
    const auto found = std::find_if(m_run.words.begin(), m_run.words.end(), same);
    const int word = int(found - m_run.words.begin());
    if (found == m_run.words.end()) m_run.words.append({maps.text, {}, false, true});
    m_maps[word] = maps;
    m_maps[word].word = word;
  }
  if (m_run.words.size() != before) {
    const bool first = m_selected.isEmpty();
    if (first) selectDefaultWord();
    Q_EMIT runChanged();
    if (first) Q_EMIT selectionChanged();
  }
  Q_EMIT mapsChanged();
}

void RunDocument::setFrame(int frame) {
  const int bounded = std::clamp(frame, 0, std::max(0, m_run.frameCount() - 1));
  if (bounded == m_frame) return;
  m_frame = bounded;
  Q_EMIT frameChanged(bounded);
}

void RunDocument::selectWords(const QList<int>& words) {
  QList<int> valid;
  for (int word : words)
    if (word >= 0 && word < m_run.words.size() && !valid.contains(word)) valid.append(word);
  if (valid == m_selected) return;
  m_selected = valid;
  Q_EMIT selectionChanged();
  askForMaps();
}

void RunDocument::toggleWord(int word) {
  QList<int> words = m_selected;
  if (!words.removeOne(word)) words.append(word);
  selectWords(words);
}

void RunDocument::setRecipe(const QString& recipe) {
  if (recipe == m_recipe) return;
  m_recipe = recipe;
  forgetMaps();
}

void RunDocument::setLayer(const QString& key) {
  if (key == m_layer) return;
  m_layer = key;
  forgetMaps();
}

const WordMaps* RunDocument::maps(int word) const {
  const auto found = m_maps.constFind(word);
  return found == m_maps.constEnd() ? nullptr : &*found;
}

void RunDocument::setMaps(const QList<WordMaps>& maps) {
  for (const WordMaps& word : maps)
    if (word.recipe == m_recipe && word.layer == m_layer) m_maps[word.word] = word;
  Q_EMIT mapsChanged();
}

std::optional<MapQuery> RunDocument::missingMaps() const {
  if (m_live || !m_run.hasMaps) return std::nullopt;
  MapQuery query{m_run.path, m_recipe, m_layer, {}, {}};
  for (int word : m_selected) {
    if (m_maps.contains(word)) continue;
    query.words.append(word);
    query.tokens.append(m_run.words[word].tokens);
  }
  return query.words.isEmpty() ? std::nullopt : std::optional(query);
}

// The first word that is likely to be worth seeing, of those the run was asked for.
void RunDocument::selectDefaultWord() {
  const bool chosen = std::any_of(m_run.words.begin(), m_run.words.end(), [](const WordInfo& w) { return w.wanted; });
  int best = -1;
  for (int i = 0; i < m_run.words.size(); ++i) {
    const WordInfo& word = m_run.words[i];
    if (word.special || (chosen && !word.wanted)) continue;
    if (best < 0) best = i;
    if (word.text.size() > kShortWord) {
      best = i;
      break;
    }
  }
  if (best >= 0) m_selected = {best};
}

// mapsChanged comes with the new maps, so that views keep the old ones until then and nothing flickers.
void RunDocument::forgetMaps() {
  if (m_live) return;
  m_maps.clear();
  Q_EMIT selectionChanged();
  askForMaps();
}

void RunDocument::askForMaps() {
  if (missingMaps()) Q_EMIT mapsWanted();
}

}  // namespace attnscope::ui
