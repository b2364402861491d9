#include "lib/Simulator/Execute/WarpGroups.h"

#include <cstdio>

namespace tilec::sim {

std::string maskText(LaneMask mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

Groups groupsOf(Execution &x, Row maskRow, LaneMask active) {
  Groups groups;
  const uint32_t *masks = x.row<uint32_t>(maskRow);
  while (active) {
    Group group;
    group.mask = masks[firstLane(active)];
    forLanes(active, [&](unsigned lane) { group.lanes |= LaneMask(masks[lane] == group.mask) << lane; });
    active &= ~group.lanes;
    groups.group[groups.count++] = group;
  }
  return groups;
}

void checkGroup(Execution &x, const Operation &op, const Group &group, LaneMask active) {
  if (LaneMask outside = group.lanes & ~group.mask)
    x.report(FindingKind::InvalidOperand, op, firstLane(outside),
             "expects the executing thread in the member mask, but lane " + std::to_string(firstLane(outside)) +
                 " is not in " + maskText(group.mask),
             {}, 1);
  LaneMask required = group.mask & x.warp->alive & ~group.lanes;
  if (LaneMask others = required & active)
    x.report(FindingKind::InvalidOperand, op, firstLane(others),
             "expects one member mask in all lanes of it, but lane " + std::to_string(firstLane(group.lanes)) +
                 " has " + maskText(group.mask) + " and lane " + std::to_string(firstLane(others)) + " another",
             {}, 2);
  if (LaneMask off = required & ~active)
    x.report(FindingKind::InvalidOperand, op, firstLane(off),
             "lane " + std::to_string(firstLane(off)) + " is in the member mask " + maskText(group.mask) +
                 ", but does not execute the instruction, since its guard is false",
             {}, 3);
}

Outcome waitForLanes(Execution &x, const Operation &op, const Group &group, LaneMask missing) {
  return x.waitFor(op,
                   "lanes " + maskText(missing) + " of the member mask " + maskText(group.mask) + " have not arrived");
}

void writePredicate(Execution &x, Row row, LaneMask lanes, LaneMask value) {
  LaneMask &to = x.predicate(row);
  to = (to & ~lanes) | (value & lanes);
}

void writeShadow(Execution &x, const Operation &op, LaneMask lanes, LaneMask undefined) {
  if (!x.check)
    return;
  for (unsigned i = 0; i < op.destinations; ++i) {
    x.setDefined(op.destination(i), lanes);
    x.setUndefined(op.destination(i), undefined & lanes);
  }
}

bool bindDestinationPair(Binder &b, ptx::Type type, bool needsPair) {
  const ptx::Operand &to = b.operand(0);
  if (to.kind == ptx::Operand::Kind::Pair && to.elements.size() == 2) {
    b.destination(to.elements[0], type);
    b.destination(to.elements[1], ptx::Type::Predicate);
    return true;
  }
  if (needsPair)
    return b.fail("expects two destinations d|p");
  b.destination(0, type);
  return true;
}

bool finishWarpInstruction(Binder &b, Handler run) {
  b.operation.run = run;
  b.operation.kind = InstructionClass::Warp;
  return b.finish();
}

bool allowUnsynchronised(Binder &b) {
  if (b.ptxVersion() >= 64 && b.targetSM() >= 70)
    return b.fail("expects .sync for sm_70 and later from PTX ISA 6.4 on");
  return true;
}

} // namespace tilec::sim
