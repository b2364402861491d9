// Threads that go different ways: a loop of unforeseeable length, a search tree walked with a local stack, a small
// interpreter whose switch becomes a tree of branches, and an indexed branch.
#include <cuda_runtime.h>

extern "C" __global__ void collatz(const unsigned *starts, int size, int *steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  unsigned long long n = starts[i];
  int count = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++count;
  }
  steps[i] = count;
}

struct Node {
  int key, left, right;
};

// Sum of the keys in [low, high] of a search tree; a child of -1 is absent.
extern "C" __global__ void sumRange(const Node *nodes, const int2 *ranges, int size, long long *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int2 range = ranges[i];
  int stack[48], depth = 0;
  long long sum = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    Node node = nodes[stack[--depth]];
    if (node.key >= range.x && node.key <= range.y)
      sum += node.key;
    if (node.left >= 0 && node.key > range.x)
      stack[depth++] = node.left;
    if (node.right >= 0 && node.key < range.y)
      stack[depth++] = node.right;
  }
  sums[i] = sum;
}

extern "C" __global__ void interpret(const unsigned char *code, int length, int size, unsigned *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  unsigned a = i, b = 12345;
  for (int pc = 0; pc < length; ++pc) {
    switch (code[i * length + pc]) {
    case 0:
      a += b;
      break;
    case 1:
      a -= b;
      break;
    case 2:
      a *= 2654435761u;
      break;
    case 3:
      a ^= a >> 15;
      break;
    case 4:
      b = a;
      break;
    case 5:
      if (a % 3 == 0)
        ++pc;
      break;
    case 6:
      b = ~b;
      break;
    case 7:
      a = (a << 5) | (a >> 27);
      break;
    case 8:
      a = a / (b | 1);
      break;
    case 9:
      a = static_cast<unsigned>(static_cast<int>(a) >> 3);
      break;
    case 10:
      pc = length;
      break;
    default:
      b += 7;
    }
  }
  results[i] = a ^ b;
}

// nvcc 13.0 makes no indexed branch of a switch, so this one is written out.
extern "C" __global__ void jump(const unsigned *kinds, int size, unsigned *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  unsigned value = values[i];
  asm volatile("{\n"
               "targets: .branchtargets increase, square, invert, square, end;\n"
               "brx.idx %1, targets;\n"
               "increase:\n"
               "add.u32 %0, %0, 1;\n"
               "bra end;\n"
               "square:\n"
               "mul.lo.u32 %0, %0, %0;\n"
               "bra end;\n"
               "invert:\n"
               "not.b32 %0, %0;\n"
               "end:\n"
               "}"
               : "+r"(value)
               : "r"(kinds[i]));
  values[i] = value;
}
