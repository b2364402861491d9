// The text form of tile.kernel. What is not obvious: `over %C` and `in (%a, %b)` are short forms of a program-space
// region, recognised again when printing; and `tune` reads the name of an attribute alias from the source, since MLIR
// replaces aliases while parsing.
#include "dialect/Kernel.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The identifier after `#` at `loc`; parsers do not give the name of an alias, but the source has it.
static StringRef aliasNameAt(SMLoc loc) {
  const char *begin = loc.getPointer();
  if (*begin != '#')
    return {};
  const char *end = ++begin;
  while (llvm::isAlnum(*end) || *end == '_' || *end == '$' || *end == '.')
    ++end;
  return StringRef(begin, end - begin);
}

/// `{#BM in [64, 128], BN = 128 : index in [64, 128]}`
static ParseResult parseTune(OpAsmParser &parser, ArrayAttr &tune) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> entries;
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name = aliasNameAt(loc);
    Attribute value;
    if (name.empty() && (parser.parseKeyword(&name) || parser.parseEqual()))
      return failure();
    SmallVector<Attribute> values;
    if (parser.parseAttribute(value) || parser.parseKeyword("in") ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&]() { return parser.parseAttribute(values.emplace_back()); }))
      return failure();
    entries.push_back(builder.getDictionaryAttr({builder.getNamedAttr("name", builder.getStringAttr(name)),
                                                 builder.getNamedAttr("value", value),
                                                 builder.getNamedAttr("values", builder.getArrayAttr(values))}));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseEntry))
    return failure();
  tune = builder.getArrayAttr(entries);
  return success();
}

static int argumentNamed(ArrayRef<OpAsmParser::Argument> arguments, OpAsmParser::UnresolvedOperand name) {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument.ssaName.name == name.name)
      return i;
  return -1;
}

/// Fills `space` with the extents of a view, or with index arguments.
static ParseResult buildSpace(OpAsmParser &parser, Region &space, ArrayRef<OpAsmParser::Argument> arguments,
                              ArrayRef<OpAsmParser::UnresolvedOperand> names, bool over, size_t coordinates) {
  OpBuilder builder(parser.getContext());
  Block *block = builder.createBlock(&space);
  for (const OpAsmParser::Argument &argument : arguments)
    block->addArgument(argument.type, argument.sourceLoc.value_or(builder.getUnknownLoc()));
  SmallVector<Value> extents;
  Location loc = builder.getUnknownLoc();
  for (const OpAsmParser::UnresolvedOperand &name : names) {
    int i = argumentNamed(arguments, name);
    if (i < 0)
      return parser.emitError(name.location) << "expected an argument of the kernel, found '" << name.name << "'";
    loc = parser.getEncodedSourceLoc(name.location);
    Type type = arguments[i].type;
    if (!over) {
      if (!type.isIndex())
        return parser.emitError(name.location)
               << "expected '" << name.name << "' to be an index, but its type is " << type;
      extents.push_back(block->getArgument(i));
      continue;
    }
    auto view = dyn_cast<ViewType>(type);
    if (!view || view.getShape().size() != coordinates)
      return parser.emitError(name.location) << "expected '" << name.name << "' to be a view of rank " << coordinates
                                             << ", one coordinate per axis, but its type is " << type;
    for (size_t axis = 0; axis < coordinates; ++axis)
      extents.push_back(DimOp::create(builder, loc, builder.getIndexType(), block->getArgument(i), axis));
  }
  if (!over && names.size() != coordinates)
    return parser.emitError(parser.getNameLoc())
           << "expected one extent per coordinate, got " << names.size() << " and " << coordinates;
  ExtentsOp::create(builder, loc, extents);
  return success();
}

static ParseResult parseSpace(OpAsmParser &parser, Region &space, ArrayRef<OpAsmParser::Argument> arguments,
                              size_t coordinates) {
  SmallVector<OpAsmParser::UnresolvedOperand> names;
  if (succeeded(parser.parseOptionalKeyword("over"))) {
    if (parser.parseOperand(names.emplace_back()))
      return failure();
    return buildSpace(parser, space, arguments, names, /*over=*/true, coordinates);
  }
  if (parser.parseKeyword("in", " or 'over'"))
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseCommaSeparatedList([&]() { return parser.parseOperand(names.emplace_back()); }) ||
        parser.parseRParen())
      return failure();
    return buildSpace(parser, space, arguments, names, /*over=*/false, coordinates);
  }
  return parser.parseRegion(space, arguments);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments, coordinates;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseKeyword("programs") ||
      parser.parseArgumentList(coordinates, AsmParser::Delimiter::Paren, /*allowType=*/false))
    return failure();
  for (OpAsmParser::Argument &coordinate : coordinates)
    coordinate.type = builder.getIndexType();

  Region *body = result.addRegion(), *space = result.addRegion();
  SmallVector<int64_t> steps;
  if (parseSpace(parser, *space, arguments, coordinates.size()) || parser.parseKeyword("by") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&]() { return parseIndexExpression(parser, "a step", steps.emplace_back()); }))
    return failure();

  ArrayAttr tune;
  if (succeeded(parser.parseOptionalKeyword("tune"))) {
    if (parseTune(parser, tune))
      return failure();
    result.addAttribute(getTuneAttrName(result.name), tune);
  }
  for (auto [keyword, attrName] : {std::pair(StringRef("schedule"), getScheduleAttrName(result.name)),
                                   std::pair(StringRef("plan"), getPlanAttrName(result.name))}) {
    DictionaryAttr dictionary;
    if (succeeded(parser.parseOptionalKeyword(keyword))) {
      if (parser.parseAttribute(dictionary))
        return failure();
      result.addAttribute(attrName, dictionary);
    }
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();

  auto names = [&](ArrayRef<OpAsmParser::Argument> list) {
    SmallVector<StringRef> texts;
    for (const OpAsmParser::Argument &argument : list)
      texts.push_back(argument.ssaName.name.drop_front());
    return builder.getStrArrayAttr(texts);
  };
  result.addAttribute(getArgNamesAttrName(result.name), names(arguments));
  result.addAttribute(getCoordinateNamesAttrName(result.name), names(coordinates));
  result.addAttribute(getStepsAttrName(result.name), builder.getDenseI64ArrayAttr(steps));
  SmallVector<OpAsmParser::Argument> all(arguments);
  all.append(coordinates);
  return parser.parseRegion(*body, all);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The argument whose dims are the extents, in order, if that is all the region does.
static std::optional<unsigned> spaceView(Block &space) {
  auto extents = cast<ExtentsOp>(space.getTerminator());
  std::optional<unsigned> view;
  for (auto [axis, extent] : llvm::enumerate(extents.getExtents())) {
    auto dim = extent.getDefiningOp<DimOp>();
    auto argument = dim ? dyn_cast<BlockArgument>(dim.getView()) : BlockArgument();
    if (!argument || dim.getAxis() != axis || (view && *view != argument.getArgNumber()))
      return std::nullopt;
    view = argument.getArgNumber();
  }
  if (!view || cast<ViewType>(space.getArgument(*view).getType()).getShape().size() != extents.getExtents().size() ||
      space.getOperations().size() != extents.getExtents().size() + 1)
    return std::nullopt;
  return view;
}

static void printSpace(OpAsmPrinter &printer, KernelOp kernel) {
  Block &space = kernel.getSpace().front();
  auto extents = cast<ExtentsOp>(space.getTerminator());
  if (std::optional<unsigned> view = spaceView(space)) {
    printer << "over ";
    printer.printOperand(kernel.getBody().getArgument(*view));
    return;
  }
  if (llvm::hasSingleElement(space) && llvm::all_of(extents.getExtents(), llvm::IsaPred<BlockArgument>)) {
    printer << "in (";
    llvm::interleaveComma(extents.getExtents(), printer, [&](Value extent) {
      printer.printOperand(kernel.getBody().getArgument(cast<BlockArgument>(extent).getArgNumber()));
    });
    printer << ")";
    return;
  }
  printer << "in ";
  printer.shadowRegionArgs(kernel.getSpace(), ValueRange(kernel.getKernelArguments()));
  printer.printRegion(kernel.getSpace(), /*printEntryBlockArgs=*/false);
}

/// `64` reads as i64; a value of another type keeps it in the text.
static void printTuneValue(OpAsmPrinter &printer, Attribute value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  if (integer && integer.getType().isInteger(64))
    printer.printAttributeWithoutType(value);
  else
    printer << value;
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << "(";
  llvm::interleaveComma(getKernelArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") programs(";
  llvm::interleaveComma(getCoordinates(), printer, [&](BlockArgument argument) { printer.printOperand(argument); });
  printer << ") ";
  printSpace(printer, *this);
  printer << " by [";
  llvm::interleaveComma(getSteps(), printer);
  printer << "]";
  if (ArrayAttr tune = getTuneAttr()) {
    printer << " tune {";
    llvm::interleaveComma(tune.getAsRange<DictionaryAttr>(), printer, [&](DictionaryAttr entry) {
      printer << entry.getAs<StringAttr>("name").getValue() << " = " << entry.get("value") << " in [";
      llvm::interleaveComma(entry.getAs<ArrayAttr>("values"), printer,
                            [&](Attribute value) { printTuneValue(printer, value); });
      printer << "]";
    });
    printer << "}";
  }
  if (DictionaryAttr schedule = getScheduleAttr())
    printer << " schedule " << schedule;
  if (DictionaryAttr plan = getPlanAttr())
    printer << " plan " << plan;
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getArgNamesAttrName(), getCoordinateNamesAttrName(),
                            getStepsAttrName(), getTuneAttrName(), getScheduleAttrName(), getPlanAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
