/// NumPy's array files, read and written without NumPy: a magic string, a version, a header that is a Python dictionary
/// of three known keys, then the elements. Format: numpy.lib.format, versions 1.0 to 3.0. Little endian and C order
/// only; the rest is refused with a reason.
#ifndef TOOLS_TILE_RUN_NPY_H
#define TOOLS_TILE_RUN_NPY_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilec::run {

/// An array as a file holds it.
struct NpyArray {
  /// Kind and bytes of an element: "f4", "u2", "b1"; "V2" for types that NumPy does not know.
  std::string type = "f4";
  std::vector<int64_t> shape;
  /// The elements, last dimension fastest.
  std::vector<uint8_t> bytes;

  /// Bytes of an element.
  size_t elementBytes() const;
  /// Product of the extents.
  int64_t count() const;
};

/// Reads a file's content. False with one line in `error`: lower case, no full stop, what was expected and found.
[[nodiscard]] bool decodeNpy(std::string_view content, NpyArray &array, std::string &error);
/// The content of a file, of the lowest version that can hold it.
std::string encodeNpy(const NpyArray &array);

/// The same from and to files; messages begin with the path.
[[nodiscard]] bool readNpy(const std::string &path, NpyArray &array, std::string &error);
[[nodiscard]] bool writeNpy(const std::string &path, const NpyArray &array, std::string &error);

} // namespace tilec::run

#endif
