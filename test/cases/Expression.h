/// The references of numeric cases: expressions over buffers, sizes and running indices, in double precision.
///
///     expression := or ('?' expression ':' expression)?     or := and ('||' and)*     and := comparison ('&&' …)*
///     comparison := sum (('<' '<=' '>' '>=' '==' '!=') sum)?
///     sum        := product (('+' '-') product)*            product := unary (('*' '/' '%') unary)*
///     unary      := '-' unary | '!' unary | primary
///     primary    := number | name | name '[' expression, … ']' | '(' expression ')'
///                 | function '(' expression, … ')'
///                 | fold '(' name '<' expression ':' expression ')'
///                 | ('to' | 'saturate' | 'wrap' | 'decode' | 'code') '(' type ',' expression ')'
///                 | ('eps' | 'largest') '(' type ')'
///
/// Folds: sum, product, maximum, minimum (NaN wins in both), argmax, argmin (the lowest index wins). A buffer element
/// outside the buffer is 0, as a load's is. `/` is the division of numbers, `%` the remainder with the sign of the
/// left. to(T, x) rounds once to nearest even, saturate(T, x) stays finite, wrap(T, x) keeps the low bits of an
/// integer; code(T, x) is the number of the code that x rounds to, decode(T, n) the value of code n. exponent(x) is the
/// exponent of x as a binary number, -inf of 0: floor(log2(abs(x))) without its error.
#ifndef TEST_CASES_EXPRESSION_H
#define TEST_CASES_EXPRESSION_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cases {

/// What names stand for. Names and buffers are numbered when an expression is read.
struct Names {
  /// Sizes, scalars, then running indices; the values are handed to evaluate().
  std::vector<std::string> values;
  std::vector<std::string> buffers;

  /// The position, or -1.
  int value(const std::string &name) const;
  int buffer(const std::string &name) const;
};

/// What an evaluation sees. One for each thread.
struct Scope {
  std::vector<double> values;
  /// Element of buffer `number` at `count` indices.
  std::function<double(int number, const int64_t *indices, size_t count)> element;
};

class Expression {
public:
  using Node = std::function<double(Scope &)>;

  /// Reads a text; running indices of folds are added to `names` as they appear. On failure `error` is set.
  static Expression parse(const std::string &text, Names &names, std::string &error);

  double evaluate(Scope &scope) const { return root(scope); }
  bool isValid() const { return bool(root); }

private:
  Node root;
};

} // namespace cases

#endif // TEST_CASES_EXPRESSION_H
