/// The parts of cvt (PTX ISA, "Data Movement and Conversion Instructions: cvt", "cvt.pack").
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_CONVERSION_H
#define TILEC_LIB_SIMULATOR_EXECUTE_CONVERSION_H

#include "lib/Simulator/Core/Binder.h"
#include "lib/Simulator/Numeric/Convert.h"

#include <string>

namespace tilec::sim {

/// A plain conversion, and the widths of the registers, which may be larger than the types'.
struct PlainConversion {
  NumberType to = NumberType::U32, from = NumberType::U32;
  ConvertMode mode;
  unsigned toBytes = 4, fromBytes = 4;
};

/// Sets handler and propagator where there is vector code for the conversion; false, and nothing set, where there is
/// none. It gives what convert() of Numeric/Convert.h gives.
bool setFrequentConversion(Binder &b, const PlainConversion &conversion);

/// Conversions to and from types that hold several values, and to tf32; the last two modifiers are `to` and `from`,
/// both taken already.
bool isPackedConversion(const std::string &to, const std::string &from);
bool bindPackedConversion(Binder &b, const std::string &to, const std::string &from);
/// cvt.pack.
bool bindIntegerPack(Binder &b);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_CONVERSION_H
