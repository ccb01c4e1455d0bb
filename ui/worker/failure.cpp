#include "worker/failure.h"

#include <QCoreApplication>

#include "base/error.h"
#include "worker/open_config.h"

namespace attnscope::ui {

Failure describeFailure(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    return {QString::fromStdString(e.message()), shortPath(QString::fromStdString(e.where())),
            QString::fromStdString(e.hint())};
  } catch (const std::bad_alloc&) {
    return {QCoreApplication::translate("Failure", "Not enough memory."),
            {},
            QCoreApplication::translate("Failure", "Lower num_frames or the frame size, or close other programs.")};
  } catch (const std::exception& e) {
    return {QString::fromUtf8(e.what()).section(QLatin1Char('\n'), 0, 0),
            {},
            QCoreApplication::translate("Failure", "This was not expected; the log has the details.")};
  }
}

}  // namespace attnscope::ui
