// Checks of programs over matrices and boxes: multiplication in several ways, transposition, a stencil.
#include "test/Simulator/programs/Programs.h"

#include <type_traits>

using namespace programs;
using tilec::bf16;
using tilec::f16;

static constexpr bool rowMajor = false, columnMajor = true;

/// A (M x K, row major) times B (K x N, in either order), in double.
template <typename T>
static std::vector<double> product(const std::vector<T> &A, const std::vector<T> &B, int M, int N, int K,
                                   bool orderOfB) {
  std::vector<double> C(static_cast<size_t>(M) * N);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < K; ++k)
        C[m * N + n] += static_cast<double>(A[m * K + k]) *
                        static_cast<double>(orderOfB == columnMajor ? B[n * K + k] : B[k * N + n]);
  return C;
}

/// Random multiples of 1/8 in [-2, 2]: sums of few products are exact in every order and width.
template <typename T> static std::vector<T> eighths(Trial &trial, size_t count) {
  std::vector<T> values;
  for (int value : trial.uniform<int>(count, -16, 16))
    values.push_back(T(static_cast<float>(value) / 8));
  return values;
}

void programs::checkGemmTiled(Trial &trial) {
  struct Size {
    int M, N, K;
  };
  for (auto [M, N, K] : {Size{1, 1, 1}, Size{16, 32, 48}, Size{37, 21, 50}}) {
    trial.sizes(M, N, K);
    std::vector<float> A = trial.uniform<float>(M * K, -1, 1), B = trial.uniform<float>(K * N, -1, 1),
                       C = trial.uniform<float>(M * N, -1, 1);
    const float alpha = 1.25f, beta = -0.5f;
    std::vector<double> expected = product(A, B, M, N, K, rowMajor);
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = alpha * expected[i] + beta * C[i];
    float *result = trial.input(C);
    trial.launch("gemmTiled", {{blocksFor(N, 16), blocksFor(M, 16)}, {16, 16}}, M, N, K, alpha, trial.input(A),
                 trial.input(B), beta, result);
    trial.near("C", trial.read(result, C.size()), expected, 1e-6 * K, 1e-6);
  }
}

template <typename T, typename Sum>
static void checkWmma(Trial &trial, const char *kernel, int M, int N, int K, bool orderOfB, const std::vector<T> &A,
                      const std::vector<T> &B) {
  const uint32_t warps = 2;
  Sum *result = trial.output<Sum>(M * N);
  trial.launch(kernel, {{blocksFor(N, 16 * warps), static_cast<uint32_t>(M / 16)}, 32 * warps}, trial.input(A),
               trial.input(B), result, N, K);
  std::vector<double> expected = product(A, B, M, N, K, orderOfB);
  for (double &value : expected)
    value *= 2;
  trial.near(kernel, trial.read(result, expected.size()), expected, 0, 0);
}

void programs::checkGemmWmma(Trial &trial) {
  struct Size {
    int M, N, K;
  };
  for (auto [M, N, K] : {Size{16, 16, 16}, Size{48, 80, 64}}) {
    trial.sizes(M, N, K);
    std::vector<f16> A = eighths<f16>(trial, M * K), B = eighths<f16>(trial, K * N);
    checkWmma<f16, float>(trial, "gemmHalfRows", M, N, K, rowMajor, A, B);
    checkWmma<f16, float>(trial, "gemmHalfColumns", M, N, K, columnMajor, A, B);
    checkWmma<int8_t, int>(trial, "gemmBytes", M, N, K, columnMajor, trial.bits<int8_t>(M * K),
                           trial.bits<int8_t>(K * N));
  }
}

void programs::checkGemmMma(Trial &trial) {
  struct Size {
    int M, N, K;
  };
  for (auto [M, N, K] : {Size{64, 32, 32}, Size{128, 96, 160}}) {
    trial.sizes(M, N, K);
    Shape shape = {{static_cast<uint32_t>(N / 32), static_cast<uint32_t>(M / 64)}, 128};
    for (bool exact : {true, false}) {
      std::vector<bf16> A = eighths<bf16>(trial, M * K), B = eighths<bf16>(trial, N * K);
      if (!exact)
        for (std::vector<bf16> *matrix : {&A, &B})
          for (bf16 &value : *matrix)
            value = bf16(value * trial.uniform<float>(1, 0.5f, 1)[0]);
      float *C = trial.output<float>(M * N);
      trial.launch("gemmMma", shape, trial.input(A), trial.input(B), C, N, K);
      trial.near(exact ? "exact C" : "C", trial.read(C, M * N), product(A, B, M, N, K, columnMajor),
                 exact ? 0 : 4e-6 * K, 0);
    }
  }
}

void programs::checkGemmPipeline(Trial &trial) {
  struct Size {
    int M, N, K;
  };
  // gemmPipeline needs K to be a multiple of 32, the other kernel of 1; its rows of A stay aligned to 16 bytes.
  for (auto [M, N, K] : {Size{32, 32, 32}, Size{64, 32, 128}, Size{32, 64, 76}}) {
    trial.sizes(M, N, K);
    std::vector<float> A = trial.uniform<float>(M * K, -1, 1), B = trial.uniform<float>(K * N, -1, 1);
    std::vector<double> expected = product(A, B, M, N, K, rowMajor);
    for (const char *kernel : {"gemmPipeline", "gemmPrimitives"}) {
      if (K % 32 != 0 && std::string(kernel) == "gemmPipeline")
        continue;
      float *C = trial.output<float>(M * N);
      trial.launch(kernel, {{static_cast<uint32_t>(N / 32), static_cast<uint32_t>(M / 32)}, 256}, trial.input(A),
                   trial.input(B), C, N, K);
      trial.near(kernel, trial.read(C, M * N), expected, 1e-6 * K, 1e-6);
    }
  }
}

void programs::checkTranspose(Trial &trial) {
  struct Size {
    int rows, columns;
  };
  const int batch = 3;
  for (auto [rows, columns] : {Size{1, 1}, Size{32, 64}, Size{45, 70}}) {
    trial.sizes(rows, columns);
    size_t count = static_cast<size_t>(rows) * columns;
    std::vector<float> values = trial.uniform<float>(count, -1, 1), expected(count);
    // Two floats seen as one 64-bit integer: the kernel only moves them.
    std::vector<uint64_t> pairs = trial.bits<uint64_t>(count * batch), expectedPairs(pairs.size());
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        expected[c * rows + r] = values[r * columns + c];
        for (int b = 0; b < batch; ++b)
          expectedPairs[b * count + c * rows + r] = pairs[b * count + r * columns + c];
      }
    float *output = trial.output<float>(count);
    uint64_t *outputPairs = trial.output<uint64_t>(count * batch);
    uint32_t across = blocksFor(columns, 32), down = blocksFor(rows, 32);
    trial.launch("transpose", {{across, down}, {32, 8}}, trial.input(values), output, rows, columns);
    trial.equal("element", trial.read(output, count), expected);
    trial.launch("transposeBatch", {{across, down, batch}, {32, 8}}, trial.input(pairs), outputPairs, rows, columns);
    trial.equal("pair", trial.read(outputPairs, count * batch), expectedPairs);
  }
}

void programs::checkStencil(Trial &trial) {
  struct Extents {
    int x, y, z;
  };
  for (Extents extents : {Extents{1, 1, 1}, Extents{16, 8, 4}, Extents{35, 10, 7}}) {
    auto [X, Y, Z] = extents;
    trial.sizes(X, Y, Z);
    size_t count = static_cast<size_t>(X) * Y * Z;
    std::vector<float> values = trial.uniform<float>(count, -1, 1);
    const float centre = 0.4f, side = 0.1f;
    std::vector<double> expected(count);
    for (size_t i = 0; i < count; ++i) {
      int x = i % X, y = i / X % Y, z = i / X / Y;
      auto at = [&, X = X, Y = Y, Z = Z](int x, int y, int z) {
        bool inside = x >= 0 && y >= 0 && z >= 0 && x < X && y < Y && z < Z;
        return inside ? static_cast<double>(values[(z * Y + y) * X + x]) : 0.0;
      };
      expected[i] = centre * at(x, y, z) + side * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) +
                                                   at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1));
    }
    float *output = trial.output<float>(count);
    trial.launch("stencil", {{blocksFor(X, 16), blocksFor(Y, 4), blocksFor(Z, 4)}, {16, 4, 4}}, trial.input(values),
                 output, extents, centre, side);
    trial.near("cell", trial.read(output, count), expected, 1e-6, 0);
  }
}
