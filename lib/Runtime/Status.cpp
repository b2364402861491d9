#include "lib/Runtime/Status.h"

const char *tilec::statusCodeName(StatusCode code) {
  switch (code) {
  case StatusCode::Ok:
    return "Ok";
  case StatusCode::InvalidArgument:
    return "InvalidArgument";
  case StatusCode::Unsupported:
    return "Unsupported";
  case StatusCode::NoDevice:
    return "NoDevice";
  case StatusCode::DriverTooOld:
    return "DriverTooOld";
  case StatusCode::OutOfMemory:
    return "OutOfMemory";
  case StatusCode::Capturing:
    return "Capturing";
  case StatusCode::CheckFailed:
    return "CheckFailed";
  case StatusCode::DriverError:
    return "DriverError";
  }
  return "unknown";
}
