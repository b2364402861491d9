// Loops and branches as blocks whose arguments are the words of what they carry.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#one = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
#two = #tile.layout<registers = [[32]], lanes = [[1], [2], [4], [8], [16]], warps = []>
!t = !tile.tile<32xf32, #one>
!h = !tile.tile<64xf16, #two>
module attributes {tile.target = "sm_80"} {
  // The test stands before the first trip and at the end of the body; f16 travels in pairs.
  // CHECK-LABEL: llvm.func @loop(
  // CHECK-SAME: %[[N:[^ ]*]]: i64
  // CHECK: %[[ANY:.*]] = llvm.icmp "slt" %{{.*}}, %[[N]] : i64
  // CHECK-NEXT: llvm.cond_br %[[ANY]], ^[[BODY:[^(]*]]({{.*}} : i64, f32, vector<2xf16>), ^[[EXIT:[^(]*]]({{.*}} : f32, vector<2xf16>)
  // CHECK: ^[[BODY]](%[[I:.*]]: i64, %[[X:.*]]: f32, %[[Y:.*]]: vector<2xf16>):
  // CHECK: %[[S:.*]] = llvm.fadd %[[X]], %[[X]] : f32
  // CHECK: %[[NEXT:.*]] = llvm.add %[[I]], %{{.*}} overflow<nsw> : i64
  // CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[NEXT]], %[[N]]
  // CHECK: llvm.cond_br %[[MORE]], ^[[BODY]](%[[NEXT]], %[[S]], %[[Y]] : i64, f32, vector<2xf16>), ^[[EXIT]](%[[S]], %[[Y]] : f32, vector<2xf16>)
  // CHECK: ^[[EXIT]](%{{.*}}: f32, %{{.*}}: vector<2xf16>):
  tile.kernel @loop(%n: index, %v: !tile.view<?xf32>) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant dense<1.0> : !t
    %h = arith.constant dense<1.0> : !h
    %r, %q = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z, %y = %h) -> (!t, !h) {
      %s = arith.addf %x, %x : !t
      scf.yield %s, %y : !t, !h
    }
    tile.store %r, %v[%m] : !t, !tile.view<?xf32>
    tile.return
  }

  // A counter that fits 32 bits also after its last step.
  // CHECK-LABEL: llvm.func @narrow_loop(
  // CHECK: llvm.cond_br %{{.*}}, ^[[BODY:[^(]*]](%{{.*}} : i32), ^{{.*}}
  // CHECK: ^[[BODY]](%[[I:.*]]: i32):
  // CHECK: llvm.icmp "slt" %{{.*}} : i32
  tile.kernel @narrow_loop(%n: index) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %k = tile.assume %n range [0, 65536]
    scf.for %i = %c0 to %k step %c8 {
      %j = arith.addi %i, %c8 : index
    }
    tile.return
  }

  // CHECK-LABEL: llvm.func @branch(
  // CHECK-SAME: %[[B:[^ ]*]]: i1
  // CHECK: llvm.cond_br %[[B]], ^[[THEN:.*]], ^[[ELSE:.*]]
  // CHECK: ^[[JOIN:.*]](%[[R:.*]]: f32):
  // CHECK: llvm.cond_br %[[B]], ^[[STORE:.*]], ^[[END:[a-z0-9]*]]
  // CHECK: ^[[THEN]]:
  // CHECK: %[[NEG:.*]] = llvm.fneg
  // CHECK: llvm.br ^[[JOIN]](%[[NEG]] : f32)
  // CHECK: ^[[ELSE]]:
  // CHECK-NEXT: llvm.br ^[[JOIN]](
  // CHECK: ^[[END]]:
  // CHECK: llvm.return
  // CHECK: ^[[STORE]]:
  // CHECK: st.global
  // CHECK: llvm.br ^[[END]]
  tile.kernel @branch(%b: i1, %n: index, %v: !tile.view<?xf32>) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %z = arith.constant dense<1.0> : !t
    %r = scf.if %b -> (!t) {
      %s = arith.negf %z : !t
      scf.yield %s : !t
    } else {
      scf.yield %z : !t
    }
    scf.if %b {
      tile.store %r, %v[%m] : !t, !tile.view<?xf32>
    }
    tile.return
  }

  // CHECK-LABEL: llvm.func @while(
  // CHECK: llvm.br ^[[BEFORE:[^(]*]]({{.*}} : f32, i32)
  // CHECK: ^[[BEFORE]](%[[X:.*]]: f32, %[[I:.*]]: i32):
  // CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[I]]
  // CHECK: llvm.cond_br %[[MORE]], ^[[AFTER:[^(]*]](%[[X]], %[[I]] : f32, i32), ^[[EXIT:[^(]*]](%[[X]], %[[I]] : f32, i32)
  // CHECK: ^[[AFTER]](
  // CHECK: llvm.br ^[[BEFORE]](
  // CHECK: ^[[EXIT]](%[[R:.*]]: f32, %{{.*}}: i32):
  // CHECK: llvm.bitcast %[[R]]
  tile.kernel @while(%n: index, %v: !tile.view<?xf32>) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %z = arith.constant dense<1.0> : !t
    %c1 = arith.constant 1 : i32
    %c9 = arith.constant 9 : i32
    %r, %k = scf.while (%x = %z, %i = %c1) : (!t, i32) -> (!t, i32) {
      %more = arith.cmpi slt, %i, %c9 : i32
      scf.condition(%more) %x, %i : !t, i32
    } do {
    ^bb0(%x: !t, %i: i32):
      %s = arith.addf %x, %x : !t
      %j = arith.addi %i, %c1 : i32
      scf.yield %s, %j : !t, i32
    }
    tile.store %r, %v[%m] : !t, !tile.view<?xf32>
    tile.return
  }
}
