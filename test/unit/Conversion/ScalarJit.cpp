// One module per function: built in the LLVM dialect, translated to LLVM IR, compiled by ORC.
#include "test/unit/Conversion/ScalarJit.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace mlir::tile;

ScalarJit::ScalarJit() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<LLVM::LLVMDialect>();
  Builder builder(&context);
  f32 = builder.getF32Type();
  f64 = builder.getF64Type();
  i8 = builder.getI8Type();
  i32 = builder.getI32Type();
  i64 = builder.getI64Type();
}

Value ScalarJit::call(ImplicitLocOpBuilder &b, StringRef name, Value x) {
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    callee = LLVM::LLVMFuncOp::create(b, name, LLVM::LLVMFunctionType::get(x.getType(), {x.getType()}));
  }
  return LLVM::CallOp::create(b, callee, ValueRange(x)).getResult();
}

void *ScalarJit::compile(ArrayRef<Type> arguments, Build build) {
  ImplicitLocOpBuilder b(UnknownLoc::get(&context), &context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b);
  b.setInsertionPointToEnd(module->getBody());
  // The result's type is known once the body is there.
  auto function =
      LLVM::LLVMFuncOp::create(b, "scalar", LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&context), arguments));
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToEnd(entry);
  Value result = build(b, entry->getArguments());
  LLVM::ReturnOp::create(b, result);
  function.setFunctionType(LLVM::LLVMFunctionType::get(result.getType(), arguments));
  if (failed(verify(*module)))
    llvm::report_fatal_error("the function under test does not verify");

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(*module, *llvmContext);
  auto jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  llvm::orc::SymbolMap symbols;
  for (const auto &[name, address] : functions)
    symbols[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  llvm::orc::JITDylib &library = jit->getMainJITDylib();
  llvm::cantFail(library.define(llvm::orc::absoluteSymbols(std::move(symbols))));
  library.addGenerator(llvm::cantFail(
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit->getDataLayout().getGlobalPrefix())));
  llvmModule->setDataLayout(jit->getDataLayout());
  llvm::cantFail(jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(llvmModule), std::move(llvmContext))));
  void *address = llvm::cantFail(jit->lookup("scalar")).toPtr<void *>();
  compiled.push_back(std::move(jit));
  return address;
}
