/// A kernel's launch table made in memory: what the launch header is for C++ programs, this is for tools that compile a
/// kernel and launch it in one process. Checks, choices and grid are then those of lib/Runtime, as for a header.
#ifndef TILEC_LIB_CODEGEN_LAUNCHTABLE_H
#define TILEC_LIB_CODEGEN_LAUNCHTABLE_H

#include "lib/Codegen/IndexExpression.h"
#include "lib/Runtime/KernelTable.h"

#include <deque>
#include <memory>

namespace mlir::tile {

/// Owns a table and all that it points to.
class LaunchTable {
public:
  /// Fails on the same unsound interfaces as the header.
  static llvm::Expected<std::unique_ptr<LaunchTable>> make(KernelInterface kernel);

  LaunchTable(const LaunchTable &) = delete;

  const tilec::KernelTable &table() const { return made; }
  const KernelInterface &interface() const { return kernel; }

private:
  /// A configuration's expressions as functions.
  class Space : public tilec::SpaceEvaluator {
  public:
    void evaluate(const tilec::Argument *arguments, tilec::SpaceValues &values) const override;

    /// Null: always.
    IndexFunction predicate;
    std::vector<IndexFunction> extents;
    IndexFunction workspaceBytes;
  };
  /// What one configuration's entry in the table points to.
  struct Configuration {
    std::string label;
    std::vector<const char *> extents;
    Space space;
    std::vector<tilec::ImageInfo> images;
    std::deque<std::vector<tilec::VariantInfo>> variants;
    /// Images' code: pieces of text, then descriptions.
    std::deque<const char *> pieces;
    std::deque<tilec::CodeImage> code;
  };

  explicit LaunchTable(KernelInterface kernel) : kernel(std::move(kernel)) {}
  void addArguments();
  llvm::Error addConfiguration(const KernelConfiguration &from);
  tilec::ImageInfo describeImage(const KernelImage &image, Configuration &to);

  KernelInterface kernel;
  std::vector<tilec::ArgumentInfo> arguments;
  std::deque<Configuration> configurations;
  std::vector<tilec::ConfigurationInfo> infos;
  tilec::KernelTable made = {};
};

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_LAUNCHTABLE_H
