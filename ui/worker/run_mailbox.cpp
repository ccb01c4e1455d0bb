#include "worker/run_mailbox.h"

#include <algorithm>
#include <utility>

namespace attnscope::ui {

void RunNews::setMaps(const WordMaps& word) {
  const auto same = [&](const WordMaps& other) { return other.text == word.text; };
  const auto found = std::find_if(maps.begin(), maps.end(), same);
  if (found == maps.end())
    maps.append(word);
  else
    *found = word;
}

void RunMailbox::open(quint64 job) {
  const std::lock_guard lock(m_mutex);
  m_job = job;
  m_news = {};
  m_told = false;
  m_ended = false;
}

void RunMailbox::post(quint64 job, const std::function<void(RunNews&)>& write) {
  bool tell = false;
  {
    const std::lock_guard lock(m_mutex);
    if (job != m_job || m_ended) return;
    write(m_news);
    m_ended = m_news.end.has_value();
    tell = !std::exchange(m_told, true);
  }
  if (tell) Q_EMIT filled();
}

RunNews RunMailbox::take() {
  const std::lock_guard lock(m_mutex);
  m_told = false;
  return std::exchange(m_news, {});
}

}  // namespace attnscope::ui
