// An explicit choice comes first and must be right; then an installed toolkit, then wheels that carry the same files.
#include "lib/Codegen/CudaToolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cstdlib>

using namespace mlir;
using namespace mlir::tile;

static std::string environment(StringRef name) {
  const char *value = std::getenv(name.str().c_str());
  return value ? value : "";
}

static std::string joined(StringRef root, StringRef rest) {
  SmallString<256> path(root);
  llvm::sys::path::append(path, rest);
  return std::string(path);
}

/// Below a `site-packages` folder: the toolkit-shaped folders that the wheels of CUDA 13 and 12 make.
static void appendWheelRoots(StringRef sitePackages, SmallVectorImpl<std::string> &roots) {
  for (StringRef folder : {"nvidia/cu13", "nvidia/cuda_nvcc"})
    roots.push_back(joined(sitePackages, folder));
}

/// `<environment>/lib/python3.*/site-packages`, in the order of their names.
static void appendPythonRoots(StringRef environmentRoot, SmallVectorImpl<std::string> &roots) {
  std::vector<std::string> pythons;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(joined(environmentRoot, "lib"), error), end; it != end && !error;
       it.increment(error))
    if (llvm::sys::path::filename(it->path()).starts_with("python3"))
      pythons.push_back(joined(it->path(), "site-packages"));
  std::sort(pythons.begin(), pythons.end());
  for (const std::string &sitePackages : pythons)
    appendWheelRoots(sitePackages, roots);
}

static SmallVector<std::string> installedRoots() {
  SmallVector<std::string> roots;
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::string root = environment(variable); !root.empty())
      roots.push_back(root);
  roots.push_back("/usr/local/cuda");
  return roots;
}

static SmallVector<std::string> wheelRoots() {
  SmallVector<std::string> roots;
  // Executables are <build>/<preset>/bin/x; tools/setup/setup.sh puts wheels into <build>/cuda.
  static int anchor;
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  StringRef preset = llvm::sys::path::parent_path(llvm::sys::path::parent_path(self));
  appendWheelRoots(joined(llvm::sys::path::parent_path(preset), "cuda"), roots);
  if (std::string root = environment("VIRTUAL_ENV"); !root.empty())
    appendPythonRoots(root, roots);
  return roots;
}

llvm::Expected<std::string> tile::findCudaFile(StringRef variable, ArrayRef<StringRef> suffixes,
                                               ArrayRef<StringRef> otherPaths, StringRef what, StringRef wheel) {
  auto isFile = [](StringRef path) { return llvm::sys::fs::exists(path) && !llvm::sys::fs::is_directory(path); };
  if (std::string chosen = environment(variable); !chosen.empty()) {
    if (isFile(chosen))
      return chosen;
    return llvm::createStringError("%s names '%s', which is not a file", variable.str().c_str(), chosen.c_str());
  }
  SmallVector<std::string> candidates;
  auto appendBelow = [&](ArrayRef<std::string> roots) {
    for (const std::string &root : roots)
      for (StringRef suffix : suffixes)
        candidates.push_back(joined(root, suffix));
  };
  appendBelow(installedRoots());
  for (StringRef path : otherPaths)
    candidates.push_back(path.str());
  appendBelow(wheelRoots());
  for (const std::string &candidate : candidates)
    if (isFile(candidate))
      return candidate;

  std::string places;
  for (const std::string &candidate : candidates)
    places += (places.empty() ? "" : ", ") + candidate;
  return llvm::createStringError("cannot find %s (tried %s); install the CUDA toolkit or the pip package '%s', or name "
                                 "the file in %s",
                                 what.str().c_str(), places.c_str(), wheel.str().c_str(), variable.str().c_str());
}
