/// The kernels that simulator-speed measures.
#ifndef TILEC_TEST_SIMULATOR_SPEED_MIX_H
#define TILEC_TEST_SIMULATOR_SPEED_MIX_H

namespace tilec::sim {

/// What a kernel without tensor instructions executes. Of the 40 instructions of an iteration:
///   16  integer and address arithmetic (mad, mul.wide, add.s64, shl, and, xor, …)
///   12  f32: 6 fma, 3 mul, 3 add
///    4  global, coalesced: 3 loads, 1 store
///    4  shared, without conflicts: 2 stores, 2 loads of what another warp stored
///    4  barrier, move, comparison, branch back
/// Blocks of 128 threads. `in` holds three arrays and `out` one of 16384 words; `iterations` is the last parameter.
inline const char *const mixedKernel = R"(
.version 8.0
.target sm_80
.address_size 64

.visible .entry mix(.param .u64 in, .param .u64 out, .param .u32 iterations)
{
  .reg .pred %p<3>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<12>;
  .reg .f32 %f<32>;
  .shared .align 16 .b8 tile[4096];

  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r1, [iterations];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %nctaid.x;
  mul.lo.s32 %r6, %r4, %r5;
  mad.lo.s32 %r7, %r3, %r4, %r2;
  mov.u32 %r8, tile;
  shl.b32 %r9, %r2, 2;
  mov.b32 %r10, 0;
  mov.b32 %r20, 1;
  mov.f32 %f1, 0f3F800000;
  mov.f32 %f2, 0f3F000000;
  mov.f32 %f3, 0f3E800000;
  mov.f32 %f4, 0f00000000;
$loop:
  mad.lo.s32 %r11, %r10, %r6, %r7;
  and.b32 %r12, %r11, 16383;
  mul.wide.s32 %rd3, %r12, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f5, [%rd4];
  ld.global.f32 %f6, [%rd4+65536];
  ld.global.f32 %f7, [%rd4+131072];
  fma.rn.f32 %f8, %f5, %f1, %f4;
  mul.f32 %f9, %f6, %f2;
  fma.rn.f32 %f10, %f7, %f3, %f9;
  add.f32 %f11, %f8, %f10;
  and.b32 %r13, %r10, 1;
  shl.b32 %r14, %r13, 10;
  add.s32 %r15, %r8, %r14;
  add.s32 %r16, %r15, %r9;
  xor.b32 %r17, %r16, 128;
  st.shared.f32 [%r16], %f8;
  st.shared.f32 [%r16+512], %f11;
  bar.sync 0;
  ld.shared.f32 %f12, [%r17];
  ld.shared.f32 %f13, [%r17+512];
  fma.rn.f32 %f14, %f12, %f2, %f11;
  mul.f32 %f15, %f13, %f3;
  fma.rn.f32 %f16, %f14, %f1, %f15;
  add.f32 %f17, %f16, %f12;
  fma.rn.f32 %f18, %f17, %f3, %f13;
  mul.f32 %f19, %f18, %f2;
  fma.rn.f32 %f20, %f19, %f3, %f5;
  add.f32 %f21, %f20, %f6;
  shr.u32 %r18, %r20, 3;
  xor.b32 %r19, %r18, %r11;
  mul.lo.s32 %r20, %r19, 1103515245;
  or.b32 %r21, %r20, 1;
  sub.s32 %r22, %r21, %r12;
  mov.b32 %r23, %f21;
  st.global.b32 [%rd5], %r23;
  add.s32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, %r1;
  @%p1 bra $loop;
  ret;
}
)";

/// What the loop of a matrix product executes: 4 ldmatrix.x4, of which 2 transposed, and 8 mma.m16n8k16 of bf16, with
/// the arithmetic of addresses between. Blocks of 128 threads; `in` holds 16384 bytes of small bf16 numbers, `out` 32
/// words for each thread.
inline const char *const tensorKernel = R"(
.version 8.0
.target sm_80
.address_size 64

.visible .entry tensor(.param .u64 in, .param .u64 out, .param .u32 iterations)
{
  .reg .pred %p<4>;
  .reg .b32 %r<64>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<40>;
  .shared .align 1024 .b8 tile[16384];

  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r1, [iterations];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, tile;
  shl.b32 %r5, %r2, 4;
  mov.b32 %r6, 0;
$fill:
  add.s32 %r7, %r5, %r6;
  cvt.u64.u32 %rd3, %r7;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.v4.b32 {%r8, %r9, %r10, %r11}, [%rd4];
  add.s32 %r12, %r4, %r7;
  st.shared.v4.b32 [%r12], {%r8, %r9, %r10, %r11};
  add.s32 %r6, %r6, 2048;
  setp.lt.u32 %p1, %r6, 16384;
  @%p1 bra $fill;
  bar.sync 0;
  ACCUMULATORS
  and.b32 %r13, %r2, 31;
  and.b32 %r14, %r13, 7;
  shl.b32 %r15, %r14, 4;
  shl.b32 %r16, %r13, 7;
  and.b32 %r16, %r16, 1920;
  mov.b32 %r6, 0;
$loop:
  and.b32 %r17, %r6, 3;
  shl.b32 %r18, %r17, 5;
  shr.u32 %r19, %r13, 4;
  shl.b32 %r19, %r19, 4;
  or.b32 %r18, %r18, %r19;
  xor.b32 %r18, %r18, %r15;
  or.b32 %r18, %r18, %r16;
  add.s32 %r20, %r4, %r18;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r30, %r31, %r32, %r33}, [%r20];
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r34, %r35, %r36, %r37}, [%r20+2048];
  ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r38, %r39, %r40, %r41}, [%r20+8192];
  ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r42, %r43, %r44, %r45}, [%r20+10240];
  PRODUCTS
  add.s32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, %r1;
  @%p2 bra $loop;
  shl.b32 %r21, %r3, 7;
  add.s32 %r21, %r21, %r2;
  mul.wide.u32 %rd5, %r21, 128;
  add.s64 %rd6, %rd2, %rd5;
  STORES
  ret;
}
)";

} // namespace tilec::sim

#endif // TILEC_TEST_SIMULATOR_SPEED_MIX_H
