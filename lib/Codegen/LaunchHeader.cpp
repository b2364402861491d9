/// The header is four layers, from the bottom: code images (once per content), tables, one function per configuration
/// that evaluates its expressions, and the typed launchers, which only pack their parameters. Names of the source
/// become C++ identifiers here; expressions refer to arguments by number, so no name can clash inside them.
#include "lib/Codegen/LaunchHeader.h"

#include "lib/Codegen/IndexExpression.h"
#include "lib/Codegen/InterfaceCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tile;
using llvm::StringRef;
using llvm::Twine;

/// Some compilers end a string literal here (MSVC: 16380 bytes).
static constexpr size_t maxLiteral = 16000;

/// Bytes of a cubin in one line.
static constexpr size_t bytesPerLine = 32;

//===-- Names and literals ----------------------------------------------------------------------------------------===//

/// Keywords of C++17 and 20.
static constexpr StringRef keywords[] = {"alignas",   "alignof",   "and",           "and_eq",
                                         "asm",       "auto",      "bitand",        "bitor",
                                         "bool",      "break",     "case",          "catch",
                                         "char",      "char8_t",   "char16_t",      "char32_t",
                                         "class",     "co_await",  "co_return",     "co_yield",
                                         "compl",     "concept",   "const",         "consteval",
                                         "constexpr", "constinit", "const_cast",    "continue",
                                         "decltype",  "default",   "delete",        "do",
                                         "double",    "else",      "dynamic_cast",  "enum",
                                         "explicit",  "export",    "extern",        "false",
                                         "float",     "for",       "friend",        "goto",
                                         "if",        "inline",    "int",           "long",
                                         "mutable",   "namespace", "new",           "noexcept",
                                         "not",       "not_eq",    "nullptr",       "operator",
                                         "or",        "or_eq",     "private",       "protected",
                                         "public",    "register",  "requires",      "return",
                                         "short",     "signed",    "sizeof",        "static",
                                         "struct",    "switch",    "static_assert", "template",
                                         "this",      "throw",     "thread_local",  "true",
                                         "try",       "typedef",   "typeid",        "typename",
                                         "union",     "unsigned",  "using",         "virtual",
                                         "void",      "volatile",  "wchar_t",       "while",
                                         "xor",       "xor_eq",    "static_cast",   "reinterpret_cast"};

/// Names that a namespace at global scope must not take: the libraries' own, and C functions that are likely as names
/// of kernels.
static constexpr StringRef globalNames[] = {
    "std",  "tilec", "main",   "abs",   "acos",   "asin",   "atan", "cbrt",   "ceil", "cos",   "cosh",
    "div",  "erf",   "erfc",   "exp",   "exp2",   "expm1",  "fabs", "floor",  "fma",  "fmax",  "fmin",
    "fmod", "gamma", "hypot",  "index", "j0",     "j1",     "jn",   "lgamma", "log",  "log10", "log1p",
    "log2", "logb",  "pow",    "read",  "remove", "rename", "rint", "round",  "sin",  "sinh",  "sqrt",
    "tan",  "tanh",  "tgamma", "trunc", "time",   "write",  "y0",   "y1",     "yn"};

/// Names that the launchers use for themselves.
static constexpr StringRef launcherNames[] = {"stream", "device", "workspace", "arguments", "argumentCount", "detail"};

/// An identifier for a name of the source: other characters become '_', a leading digit gets "arg" in front, and a
/// name that is taken gets '_' behind. "0" gives "arg0", "new" gives "new_".
static std::string identifier(StringRef name, llvm::ArrayRef<StringRef> taken) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) || (c == '_' && !result.empty() && result.back() != '_') ? c : '_';
  while (llvm::StringRef(result).contains("__"))
    result.erase(result.find("__"), 1);
  if (result.empty() || llvm::isDigit(result.front()))
    result = "arg" + result;
  // Names with a leading underscore belong to the implementation.
  if (result.front() == '_')
    result = "arg" + result;
  if (llvm::is_contained(keywords, result) || llvm::is_contained(taken, result))
    result += "_";
  return result;
}

/// A C++ string literal.
static std::string quoted(StringRef text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\' || c == '?')
      (result += '\\') += static_cast<char>(c);
    else if (llvm::isPrint(c))
      result += static_cast<char>(c);
    else
      for (char digit : {'\\', char('0' + c / 64), char('0' + c / 8 % 8), char('0' + c % 8)})
        result += digit;
  }
  return result + "\"";
}

static std::string size(std::optional<int64_t> value) {
  return value ? std::to_string(*value) : std::string("::tilec::dynamicSize");
}

static std::string limit(int64_t value) {
  return value == std::numeric_limits<int64_t>::max() ? std::string("INT64_MAX") : std::to_string(value);
}

/// Documentation lines; a trailing backslash would join the next line to the comment.
static void printDoc(llvm::raw_ostream &os, StringRef doc) {
  for (StringRef line : llvm::split(doc, '\n'))
    os << "/// " << line.rtrim(" \t\r\\") << "\n";
}

//===-- Code images -----------------------------------------------------------------------------------------------===//

namespace {
/// Prints each distinct code image once, under a name made from its content. A guard lets several headers of one
/// program hold the same image.
class CodePrinter {
public:
  explicit CodePrinter(llvm::raw_ostream &os) : os(os) {}

  void printPtx(StringRef text);
  void printCubin(llvm::ArrayRef<uint8_t> bytes);

  static std::string name(StringRef kind, StringRef bytes) {
    return (kind + "_" + llvm::utohexstr(codeHash(bytes), /*LowerCase=*/true)).str();
  }
  static StringRef bytesOf(llvm::ArrayRef<uint8_t> bytes) {
    return StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }

private:
  /// False if the image has been printed already.
  bool begin(StringRef name) {
    if (!printed.insert(name).second)
      return false;
    os << "#ifndef TILEC_CODE_" << name << "\n#define TILEC_CODE_" << name << "\nnamespace tilec::code {\n";
    return true;
  }
  void end() { os << "} // namespace tilec::code\n#endif\n\n"; }

  llvm::raw_ostream &os;
  llvm::StringSet<> printed;
};
} // namespace

/// A raw literal's delimiter that does not end it too early.
static std::string rawDelimiter(StringRef text) {
  std::string delimiter = "ptx";
  for (int i = 0; text.contains(")" + delimiter + "\""); ++i)
    delimiter = "ptx" + std::to_string(i);
  return delimiter;
}

void CodePrinter::printPtx(StringRef text) {
  std::string code = name("ptx", text);
  if (!begin(code))
    return;
  std::string delimiter = rawDelimiter(text);
  os << "inline constexpr const char *const " << code << "_pieces[] = {\n";
  size_t pieces = 0;
  for (StringRef rest = text; !rest.empty(); ++pieces) {
    StringRef piece = rest.take_front(maxLiteral);
    // Preferably whole lines, for the reader.
    if (size_t lineEnd = piece.rfind('\n'); piece.size() < rest.size() && lineEnd != StringRef::npos)
      piece = piece.take_front(lineEnd + 1);
    os << "R\"" << delimiter << "(" << piece << ")" << delimiter << "\",\n";
    rest = rest.drop_front(piece.size());
  }
  os << "};\ninline constexpr ::tilec::CodeImage " << code << " = {0x" << llvm::utohexstr(codeHash(text), true) << "u, "
     << code << "_pieces, " << pieces << ", nullptr, " << text.size() << "};\n";
  end();
}

void CodePrinter::printCubin(llvm::ArrayRef<uint8_t> bytes) {
  std::string code = name("cubin", bytesOf(bytes));
  if (!begin(code))
    return;
  os << "inline constexpr unsigned char " << code << "_bytes[] = {";
  for (auto [i, byte] : llvm::enumerate(bytes))
    os << (i % bytesPerLine == 0 ? "\n" : "") << unsigned(byte) << ",";
  os << "\n};\ninline constexpr ::tilec::CodeImage " << code << " = {0x"
     << llvm::utohexstr(codeHash(bytesOf(bytes)), true) << "u, nullptr, 0, " << code << "_bytes, " << bytes.size()
     << "};\n";
  end();
}

//===-- Kernels ---------------------------------------------------------------------------------------------------===//

namespace {
/// Prints one kernel's namespace.
class KernelPrinter {
public:
  KernelPrinter(const KernelInterface &kernel, llvm::raw_ostream &os) : kernel(kernel), os(os) {}

  void print(StringRef nameSpace);

private:
  void nameParameters();
  void printArgumentTable();
  void printImages(const KernelConfiguration &configuration, size_t number);
  void printEvaluate(const KernelConfiguration &configuration, size_t number);
  void printConfigurationParts(const KernelConfiguration &configuration, size_t number);
  void printTable();
  void printDocumentation(StringRef nameSpace);
  void printLaunchers();

  /// `first` and the typed parameters, separated by commas.
  std::string parameterList(StringRef first) const;
  /// The statement that packs the parameters, and the expression for the packed ones.
  std::string packing() const;
  StringRef packed() const { return parameters.empty() ? "{}" : "{arguments, argumentCount}"; }

  /// `{items, count}`, or an empty span where a table of that name was not printed.
  static std::string span(const Twine &items, size_t count) {
    return count ? ("{" + items + ", " + Twine(count) + "}").str() : "{nullptr, 0}";
  }

  struct Parameter {
    const KernelArgument *argument;
    std::string type;
    std::string name;
  };

  const KernelInterface &kernel;
  llvm::raw_ostream &os;
  std::vector<Parameter> parameters;
};
} // namespace

void KernelPrinter::nameParameters() {
  llvm::StringSet<> used;
  for (const KernelArgument &argument : kernel.arguments) {
    if (argument.dead)
      continue;
    std::string name = identifier(argument.name, launcherNames);
    while (!used.insert(name).second)
      name += "_";
    std::string type = findHostType(argument.elementType)->cpp.str();
    if (argument.kind == KernelArgument::Kind::View)
      type = std::string("const ::tilec::View<") + (argument.readOnly ? "const " : "") + type + ", " +
             std::to_string(argument.rank()) + "> &";
    else
      type += " ";
    parameters.push_back({&argument, type, name});
  }
}

void KernelPrinter::printArgumentTable() {
  if (parameters.empty())
    return;
  auto printSizes = [&](const std::vector<std::optional<int64_t>> &sizes) {
    os << "{" << llvm::join(llvm::map_range(sizes, size), ", ") << "}";
  };
  os << "inline constexpr ::tilec::ArgumentInfo arguments[] = {\n";
  for (const Parameter &parameter : parameters) {
    const KernelArgument &argument = *parameter.argument;
    bool isView = argument.kind == KernelArgument::Kind::View;
    os << "    {" << quoted(argument.name) << ", " << (isView ? "true" : "false")
       << ", ::tilec::ElementType::" << findHostType(argument.elementType)->enumerator << ", "
       << (isView ? argument.rank() : 0) << ", " << (isView ? argument.alignBytes : 0) << ", ";
    printSizes(isView ? argument.extents : std::vector<std::optional<int64_t>>());
    os << ", ";
    printSizes(isView ? argument.strides : std::vector<std::optional<int64_t>>());
    os << "},\n";
  }
  os << "};\n";
}

void KernelPrinter::printImages(const KernelConfiguration &configuration, size_t number) {
  for (auto [i, image] : llvm::enumerate(configuration.images)) {
    auto alignments = [&, i = i](size_t variant) {
      return "alignments" + std::to_string(number) + "_" + std::to_string(i) + "_" + std::to_string(variant);
    };
    for (auto [v, variant] : llvm::enumerate(image.variants))
      if (!variant.alignments.empty())
        os << "inline constexpr int64_t " << alignments(v) << "[] = {"
           << llvm::join(llvm::map_range(variant.alignments, [](int64_t bytes) { return std::to_string(bytes); }), ", ")
           << "};\n";
    os << "inline constexpr ::tilec::VariantInfo variants" << number << "_" << i << "[] = {\n";
    for (auto [v, variant] : llvm::enumerate(image.variants)) {
      os << "    {" << quoted(variant.symbol) << ", " << variant.alignBytes << ", " << limit(variant.maxIndex) << ", "
         << variant.threads << ", " << variant.sharedBytes << ", " << variant.registers.value_or(-1) << ", "
         << variant.spillBytes.value_or(-1);
      if (!variant.alignments.empty())
        os << ", " << span(alignments(v), variant.alignments.size());
      os << "},\n";
    }
    os << "};\n";
  }
  os << "inline constexpr ::tilec::ImageInfo images" << number << "[] = {\n";
  for (auto [i, image] : llvm::enumerate(configuration.images)) {
    ArchName arch = *parseArch(image.arch);
    std::string feature = arch.feature ? std::string("'") + arch.feature + "'" : "0";
    std::string ptx = image.ptx.empty() ? "nullptr" : "&::tilec::code::" + CodePrinter::name("ptx", image.ptx);
    std::string cubin = image.cubin.empty()
                            ? "nullptr"
                            : "&::tilec::code::" + CodePrinter::name("cubin", CodePrinter::bytesOf(image.cubin));
    os << "    {" << quoted(image.arch) << ", " << arch.sm << ", " << feature << ", " << ptx << ", " << cubin << ", "
       << image.ptxVersion << ", " << image.minDriver << ", " << image.cubinMinDriver << ", "
       << span("variants" + Twine(number) + "_" + Twine(i), image.variants.size()) << "},\n";
  }
  os << "};\n";
}

void KernelPrinter::printEvaluate(const KernelConfiguration &configuration, size_t number) {
  auto translate = [&](StringRef text, ExpressionKind kind) {
    return llvm::cantFail(translateExpression(text, kernel.arguments, kind), "checked before");
  };
  os << "inline void evaluate" << number
     << "([[maybe_unused]] const ::tilec::Argument *arguments, ::tilec::SpaceValues &values) {\n"
        "  using ::tilec::index::ceildiv, ::tilec::index::dim, ::tilec::index::floordiv, ::tilec::index::max,\n"
        "      ::tilec::index::min, ::tilec::index::mod, ::tilec::Index;\n";
  if (!configuration.predicate.empty())
    os << "  values.applies = " << translate(configuration.predicate, ExpressionKind::Predicate) << ";\n";
  for (auto [dim, extent] : llvm::enumerate(configuration.space.extents))
    os << "  values.extents[" << dim << "] = " << translate(extent, ExpressionKind::Index) << ";\n";
  os << "  values.workspaceBytes = " << translate(configuration.workspaceBytes, ExpressionKind::Index) << ";\n}\n";
}

void KernelPrinter::printConfigurationParts(const KernelConfiguration &configuration, size_t number) {
  printImages(configuration, number);
  printEvaluate(configuration, number);
  const ProgramSpace &space = configuration.space;
  if (space.steps.empty())
    return;
  os << "inline constexpr const char *extents" << number << "[] = {"
     << llvm::join(llvm::map_range(space.extents, [](const std::string &text) { return quoted(text); }), ", ")
     << "};\ninline constexpr ::std::int64_t steps" << number << "[] = {"
     << llvm::join(llvm::map_range(space.steps, [](int64_t step) { return std::to_string(step); }), ", ") << "};\n";
}

void KernelPrinter::printTable() {
  os << "inline constexpr ::tilec::ConfigurationInfo configurations[] = {\n";
  for (auto [i, configuration] : llvm::enumerate(kernel.configurations)) {
    size_t rank = configuration.space.steps.size();
    os << "    {" << quoted(configurationLabel(configuration)) << ", " << quoted(configuration.predicate) << ", "
       << span("extents" + Twine(i), rank) << ", " << span("steps" + Twine(i), rank) << ", "
       << (configuration.workspaceBytes == "0" ? "false" : "true") << ", evaluate" << i << ", "
       << span("images" + Twine(i), configuration.images.size()) << "},\n";
  }
  os << "};\ninline constexpr ::tilec::KernelTable table = {" << quoted(kernel.name) << ", "
     << span("arguments", parameters.size()) << ", " << span("configurations", kernel.configurations.size()) << "};\n";
}

std::string KernelPrinter::parameterList(StringRef first) const {
  std::vector<std::string> list;
  if (!first.empty())
    list.push_back(first.str());
  for (const Parameter &parameter : parameters)
    list.push_back(parameter.type + parameter.name);
  return "(" + llvm::join(list, ", ") + ")";
}

std::string KernelPrinter::packing() const {
  if (parameters.empty())
    return "";
  std::vector<std::string> names;
  for (const Parameter &parameter : parameters)
    names.push_back(parameter.name);
  return "  const ::tilec::Argument arguments[] = {" + llvm::join(names, ", ") +
         "};\n  constexpr ::std::size_t argumentCount = " + std::to_string(names.size()) + ";\n";
}

void KernelPrinter::printDocumentation(StringRef nameSpace) {
  printDoc(os, kernel.doc.empty() ? "Kernel " + kernel.name + "." : kernel.doc);
  for (const Parameter &parameter : parameters) {
    const KernelArgument &argument = *parameter.argument;
    std::string text = "- " + parameter.name + ": ";
    if (argument.kind == KernelArgument::Kind::View) {
      text += "view of ";
      for (std::optional<int64_t> extent : argument.extents)
        text += (extent ? std::to_string(*extent) : "?") + "x";
    }
    text += argument.elementType;
    if (const HostType *type = findHostType(argument.elementType); type->bits < 8)
      text += ", packed " + std::to_string(type->bits) + " bits to an element from the lowest up, rows of whole bytes";
    if (!argument.doc.empty())
      text += "; " + llvm::join(llvm::split(argument.doc, '\n'), " ");
    printDoc(os, text);
  }
  os << "namespace " << nameSpace << " {\n";
}

void KernelPrinter::printLaunchers() {
  struct Launcher {
    StringRef doc;
    StringRef first;
    StringRef site;
  };
  static constexpr Launcher launchers[] = {
      {"Launches on a stream of the current context.", "::tilec::Stream stream", "stream"},
      {"The same with scratch memory of the caller's, zeroed once per stream.",
       "::tilec::Stream stream, const ::tilec::Workspace &workspace", "{stream, workspace}"},
      {"Launches on the default stream of a device.", "::tilec::Device &device", "device"},
      {"Launches on a stream of a device with scratch memory of the caller's.",
       "::tilec::Device &device, ::tilec::Stream stream, const ::tilec::Workspace &workspace",
       "{device, stream, workspace}"},
  };
  for (const Launcher &launcher : launchers)
    os << "\n/// " << launcher.doc << "\ninline ::tilec::Status launch" << parameterList(launcher.first) << " {\n"
       << packing() << "  return ::tilec::launchKernel(detail::table, " << packed() << ", " << launcher.site
       << ");\n}\n";
  os << "\n/// Bytes of scratch memory that a launch with these arguments needs.\n"
     << "inline ::tilec::Result<::std::size_t> workspaceBytes" << parameterList("") << " {\n"
     << packing() << "  return ::tilec::workspaceBytes(detail::table, " << packed() << ");\n}\n"
     << "\n/// Which configuration, image, variant and grid a launch would take, and why.\n"
     << "inline ::tilec::Result<::tilec::LaunchPlan> explain" << parameterList("") << " {\n"
     << packing() << "  return ::tilec::explainLaunch(detail::table, " << packed() << ");\n}\n"
     << "inline ::tilec::Result<::tilec::LaunchPlan> explain" << parameterList("::tilec::Device &device") << " {\n"
     << packing() << "  return ::tilec::explainLaunch(detail::table, " << packed() << ", &device);\n}\n"
     << "\n/// The facts behind the launchers, for tools that make their arguments at run time.\n"
     << "inline const ::tilec::KernelTable &table() { return detail::table; }\n";
}

void KernelPrinter::print(StringRef nameSpace) {
  nameParameters();
  printDocumentation(nameSpace);
  os << "namespace detail {\n";
  printArgumentTable();
  for (auto [i, configuration] : llvm::enumerate(kernel.configurations))
    printConfigurationParts(configuration, i);
  printTable();
  os << "} // namespace detail\n";
  printLaunchers();
  os << "} // namespace " << nameSpace << "\n\n";
}

//===-- The header ------------------------------------------------------------------------------------------------===//

llvm::Expected<std::string> mlir::tile::emitLaunchHeader(const std::vector<KernelInterface> &kernels,
                                                         const HeaderOptions &options) {
  std::string body;
  llvm::raw_string_ostream os(body);
  os << "#include " << quoted(options.runtimeInclude) << "\n\n#include <cstddef>\n#include <cstdint>\n\n";
  CodePrinter code(os);
  for (const KernelInterface &kernel : kernels) {
    if (llvm::Error error = checkInterface(kernel))
      return error;
    for (const KernelConfiguration &configuration : kernel.configurations)
      for (const KernelImage &image : configuration.images) {
        if (!image.ptx.empty())
          code.printPtx(image.ptx);
        if (!image.cubin.empty())
          code.printCubin(image.cubin);
      }
  }

  if (!options.nameSpace.empty())
    os << "namespace " << options.nameSpace << " {\n\n";
  llvm::StringSet<> used;
  llvm::ArrayRef<StringRef> taken =
      options.nameSpace.empty() ? llvm::ArrayRef(globalNames) : llvm::ArrayRef<StringRef>();
  for (const KernelInterface &kernel : kernels) {
    std::string name = identifier(kernel.name, taken);
    if (!used.insert(name).second)
      return llvm::createStringError("kernel '" + kernel.name + "': two kernels become '" + name + "' in C++");
    KernelPrinter(kernel, os).print(name);
  }
  if (!options.nameSpace.empty())
    os << "} // namespace " << options.nameSpace << "\n\n";

  std::string guard = "TILEC_HEADER_" + llvm::utohexstr(codeHash(body));
  std::string from = options.source.empty() ? "" : " from " + options.source;
  return "// Generated by tilec" + from + ". Do not edit.\n#ifndef " + guard + "\n#define " + guard + "\n\n" + body +
         "#endif // " + guard + "\n";
}
