// PTX of forms: a kernel loads its thread's operands, runs the body, and stores the results, 8 bytes each.
//
// A body may use %t (thread), %g (thread of the grid), %l (lane), %mem (its block's scratch memory), %sh (address of
// shared memory, filled where fill=KIND) and the temporaries %r0-%r15, %q0-%q9, %p0-%p5, %h0-%h9, %f0-%f3.
#include "test/Simulator/conformance/Forms.h"

using namespace conformance;

static const char *registerType(unsigned bits) {
  return bits == 1 ? ".pred" : bits == 16 ? ".b16" : bits == 32 ? ".b32" : ".b64";
}

/// The body with registers for $0, $d0 and $D.
static std::string placed(const Form &form) {
  std::string text, all;
  for (size_t i = 0; i < form.destinations.size(); ++i)
    all += (i ? ", %d" : "%d") + std::to_string(i);
  for (size_t i = 0; i < form.body.size(); ++i) {
    char c = form.body[i], next = i + 1 < form.body.size() ? form.body[i + 1] : 0;
    if (c == ';')
      text += ";\n ";
    else if (c != '$')
      text += c;
    else if (next == 'D')
      text += all, ++i;
    else if (next == 'd')
      text += "%d", ++i;
    else
      text += "%s";
  }
  return text;
}

static std::string kernelOf(const Form &form, const std::string &name) {
  std::string text =
      ".visible .entry " + name + "(.param .u64 operands, .param .u64 results, .param .u64 scratch)\n{\n";
  const unsigned shared = form.number("shared", 0), threads = form.threads();
  const bool filled = form.options.count("fill");
  text += " .reg .b32 %t, %g, %l, %b, %sh, %i, %r<16>;\n .reg .b64 %in, %out, %mem, %at, %q<10>;\n"
          " .reg .pred %p<6>, %more;\n .reg .b16 %h<10>;\n .reg .f32 %f<4>;\n";
  for (size_t i = 0; i < form.sources.size(); ++i)
    if (!form.sources[i].constant())
      text += " .reg " + std::string(registerType(form.sources[i].bits)) + " %s" + std::to_string(i) + ";\n";
  for (size_t i = 0; i < form.destinations.size(); ++i)
    text += " .reg " + std::string(registerType(form.destinations[i].bits)) + " %d" + std::to_string(i) + ";\n";
  if (shared)
    text += " .shared .align 1024 .b8 data[" + std::to_string(shared) + "];\n mov.u32 %sh, data;\n";
  text += " mov.u32 %t, %tid.x;\n mov.u32 %b, %ctaid.x;\n mov.u32 %l, %laneid;\n mad.lo.u32 %g, %b, " +
          std::to_string(threads) +
          ", %t;\n ld.param.u64 %in, [operands];\n ld.param.u64 %out, [results];\n ld.param.u64 %mem, [scratch];\n"
          " mul.wide.u32 %at, %b, " +
          std::to_string(scratchBytes) + ";\n add.u64 %mem, %mem, %at;\n";
  if (filled) {
    // Word i of shared memory is the low half of element i % fillWords of the array after the operands.
    text += " mov.u32 %i, %t;\nfill:\n rem.u32 %r0, %i, " + std::to_string(fillWords) +
            ";\n mul.wide.u32 %at, %r0, 8;\n add.u64 %at, %at, %in;\n"
            " ld.global.u32 %r1, [%at+" +
            std::to_string(8 * form.total() * form.sources.size()) +
            "];\n shl.b32 %r0, %i, 2;\n add.u32 %r0, %r0, %sh;\n st.shared.u32 [%r0], %r1;\n add.u32 %i, %i, " +
            std::to_string(threads) + ";\n setp.lt.u32 %more, %i, " + std::to_string(shared / 4) +
            ";\n @%more bra fill;\n fence.proxy.async;\n bar.sync 0;\n";
  }
  text += " mul.wide.u32 %at, %g, 8;\n add.u64 %in, %in, %at;\n";
  for (size_t i = 0; i < form.sources.size(); ++i) {
    const Operand &source = form.sources[i];
    if (source.constant())
      continue;
    const std::string number = std::to_string(i), from = "[%in+" + std::to_string(8 * form.total() * i) + "];\n";
    if (source.bits == 1)
      text += " ld.global.u32 %r0, " + from + " and.b32 %r0, %r0, 1;\n setp.ne.u32 %s" + number + ", %r0, 0;\n";
    else
      text += " ld.global.b" + std::to_string(source.bits) + " %s" + number + ", " + from;
  }
  text += " " + placed(form) + "\n mul.wide.u32 %at, %g, " + std::to_string(8 * form.destinations.size()) +
          ";\n add.u64 %out, %out, %at;\n";
  for (size_t i = 0; i < form.destinations.size(); ++i) {
    const std::string number = std::to_string(i), to = "[%out+" + std::to_string(8 * i) + "]";
    if (form.destinations[i].bits == 1)
      text += " selp.u32 %r0, 1, 0, %d" + number + ";\n st.global.u32 " + to + ", %r0;\n";
    else
      text += " st.global.b" + std::to_string(form.destinations[i].bits) + " " + to + ", %d" + number + ";\n";
  }
  return text + " ret;\n}\n";
}

std::string conformance::moduleOf(const Form *forms, size_t count) {
  std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n";
  for (size_t i = 0; i < count; ++i)
    text += kernelOf(forms[i], "form" + std::to_string(i));
  return text;
}
