/// What the expressions of one run see (sizes, scalars, buffers), and their evaluation at every element of a buffer.
#ifndef TEST_CASES_REFERENCE_H
#define TEST_CASES_REFERENCE_H

#include "test/cases/Data.h"
#include "test/cases/Expression.h"

namespace cases {

/// An expression over the indices of a buffer.
class Reference {
public:
  /// Reads `text`, in which `indices` are names and so are the sizes, the scalars and the buffers that there are so
  /// far. The buffers must outlive the reference. On failure `error` is set.
  Reference(const std::string &text, const std::vector<std::string> &indices, const Case &spec, const Sizes &sizes,
            const std::vector<HostBuffer> &buffers, std::string &error);

  /// A scope to evaluate in, one for each thread.
  Scope scope() const { return start; }
  /// The value at these indices.
  double at(Scope &scope, const int64_t *where, size_t rank) const;

private:
  Expression expression;
  Scope start;
  size_t firstIndex = 0;
};

/// Runs `body(first, last)` on parts of [0, count) in parallel.
void parallel(int64_t count, const std::function<void(int64_t, int64_t)> &body);

/// The contents of the buffer that its own formula gives, from the buffers before it.
void fillByFormula(HostBuffer &buffer, const Case &spec, const Sizes &sizes, const std::vector<HostBuffer> &before,
                   std::string &error);

} // namespace cases

#endif // TEST_CASES_REFERENCE_H
