/// What clean kernels compute, by the names that scripts use (`//! result out = plus in 1`).
#ifndef TILEC_TEST_SIMULATOR_FAULTS_REFERENCES_H
#define TILEC_TEST_SIMULATOR_FAULTS_REFERENCES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace faults {

/// The contents of buffers at the launch, by name: elements, not bytes. Floating point values are small integers here.
using Contents = std::map<std::string, std::vector<int64_t>>;

/// `size` elements of the result; empty: there is no such reference. `words` are its name and its arguments.
std::vector<int64_t> reference(const std::vector<std::string> &words, const Contents &contents, size_t size);

} // namespace faults

#endif // TILEC_TEST_SIMULATOR_FAULTS_REFERENCES_H
