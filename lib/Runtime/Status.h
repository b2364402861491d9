/// Errors as values. A host program must be able to go on after a failed launch, so nothing in the runtime throws or
/// exits: a function returns a Status, or a Result that holds either the value or the Status.
#ifndef TILEC_LIB_RUNTIME_STATUS_H
#define TILEC_LIB_RUNTIME_STATUS_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace tilec {

/// The kinds of failure that a host may want to tell apart; the message holds the detail.
enum class StatusCode {
  Ok,
  /// An argument broke the kernel's contract; the message names it.
  InvalidArgument,
  /// No configuration, image or variant serves this call on this device.
  Unsupported,
  /// No CUDA driver, or no device.
  NoDevice,
  /// The driver is older than every usable image needs.
  DriverTooOld,
  /// Device memory ran out.
  OutOfMemory,
  /// Not possible while the stream is being captured into a graph.
  Capturing,
  /// A check of the simulated device found a fault in a kernel; the message holds the reports.
  CheckFailed,
  /// The driver refused a call; the message names the call and the driver's own text.
  DriverError,
};

/// Name of a code as written in the enumeration.
const char *statusCodeName(StatusCode code);

/// Success, or a code and a message that names the argument and the reason.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;
  Status(StatusCode code, std::string message) : statusCode(code), text(std::move(message)) {}

  static Status success() { return {}; }
  static Status invalidArgument(std::string message) { return {StatusCode::InvalidArgument, std::move(message)}; }

  bool ok() const { return statusCode == StatusCode::Ok; }
  explicit operator bool() const { return ok(); }
  StatusCode code() const { return statusCode; }
  /// Lower case, no full stop; empty on success.
  const std::string &message() const { return text; }

private:
  StatusCode statusCode = StatusCode::Ok;
  std::string text;
};

/// A value, or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Status failure) : failure(std::move(failure)) {
    assert(!this->failure.ok() && "a failed result needs a reason");
  }

  bool ok() const { return held.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status &status() const { return failure; }
  StatusCode code() const { return failure.code(); }
  const std::string &message() const { return failure.message(); }

  /// The value; only when ok().
  T &operator*() { return *held; }
  const T &operator*() const { return *held; }
  T *operator->() { return &*held; }
  const T *operator->() const { return &*held; }

private:
  std::optional<T> held;
  Status failure;
};

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_STATUS_H
