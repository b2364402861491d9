/// Changes PTX text token by token, so that most results still parse and reach the decoder.
#ifndef TILEC_TEST_SIMULATOR_FUZZ_MUTATOR_H
#define TILEC_TEST_SIMULATOR_FUZZ_MUTATOR_H

#include <random>
#include <string>

namespace fuzz {

/// Changes something: a token for another of the text (mostly of its sort), a number for a notable one, a line for
/// another, with a line or a token more or less.
std::string mutated(const std::string &text, std::mt19937_64 &random);

/// `text` with some lines of `other`.
std::string crossed(const std::string &text, const std::string &other, std::mt19937_64 &random);

} // namespace fuzz

#endif // TILEC_TEST_SIMULATOR_FUZZ_MUTATOR_H
