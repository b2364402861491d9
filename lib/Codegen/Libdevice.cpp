// libdevice is 470 KB of bitcode of which a kernel uses a function or two, on the critical path of every run. So the
// file is mapped, read lazily and linked "only needed": bodies that nothing calls are never parsed.
#include "lib/Codegen/Libdevice.h"
#include "lib/Codegen/CudaToolkit.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;
using namespace mlir::tile;

llvm::Expected<std::string> tile::findLibdevice() {
  return findCudaFile("TILEC_LIBDEVICE", {"nvvm/libdevice/libdevice.10.bc"},
                      {"/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"}, "libdevice.10.bc", "nvidia-nvvm");
}

std::string tile::undefinedLibdeviceFunction(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_") && !function.use_empty())
      return function.getName().str();
  return "";
}

llvm::Error tile::linkLibdevice(llvm::Module &module, StringRef path, bool flushDenormals) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read libdevice '%s': %s", path.str().c_str(),
                                   buffer.getError().message().c_str());
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::getOwningLazyBitcodeModule(std::move(*buffer), module.getContext());
  if (!library)
    return llvm::createStringError("libdevice '%s' is not a bitcode file that this LLVM reads: %s", path.str().c_str(),
                                   llvm::toString(library.takeError()).c_str());

  // libdevice states an older data layout and triple; its code holds for ours, and the linker warns if they differ.
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  // Its module flags and idents say nothing about kernels.
  if (llvm::NamedMDNode *ident = (*library)->getNamedMetadata("llvm.ident"))
    ident->eraseFromParent();

  auto internalize = [](llvm::Module &linked, const llvm::StringSet<> &names) {
    llvm::internalizeModule(linked, [&names](const llvm::GlobalValue &value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::Flags::LinkOnlyNeeded, internalize))
    return llvm::createStringError("libdevice '%s' cannot be linked", path.str().c_str());

  std::string missing = undefinedLibdeviceFunction(module);
  if (!missing.empty())
    return llvm::createStringError("libdevice '%s' has no function '%s'", path.str().c_str(), missing.c_str());
  module.setModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz",
                       llvm::ConstantAsMetadata::get(
                           llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), flushDenormals)));
  return llvm::Error::success();
}
