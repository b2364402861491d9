# How the compiler's own libraries are built: against Debian's shared libMLIR and libLLVM, with one precompiled header
# (a file that includes MLIR takes 3 s instead of 20 s with it).
find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# TableGen takes its include path from the directory.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

add_library(tilec_mlir INTERFACE)
target_include_directories(tilec_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_include_directories(tilec_mlir INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_options(tilec_mlir INTERFACE -fno-rtti -fno-exceptions)
if(TILEC_STATIC)
  # A tool that holds what it uses of MLIR and LLVM starts in a few milliseconds; loading and relocating the shared
  # libraries takes 30. Debian's static MLIR libraries name the shared LLVM as what they need: that is taken out.
  function(tilec_drop_shared_llvm library)
    get_property(seen GLOBAL PROPERTY TILEC_STATIC_SEEN)
    if(NOT TARGET ${library} OR library IN_LIST seen)
      return()
    endif()
    set_property(GLOBAL APPEND PROPERTY TILEC_STATIC_SEEN ${library})
    get_target_property(needs ${library} INTERFACE_LINK_LIBRARIES)
    if(needs)
      list(REMOVE_ITEM needs LLVM)
      set_target_properties(${library} PROPERTIES INTERFACE_LINK_LIBRARIES "${needs}")
      foreach(need IN LISTS needs)
        tilec_drop_shared_llvm(${need})
      endforeach()
    endif()
  endfunction()
  set(mlir_libraries MLIRArithDialect MLIRMathDialect MLIRSCFDialect MLIRLLVMDialect MLIRNVVMDialect MLIRParser MLIRPass
    MLIRTransforms MLIRTargetLLVMIRExport MLIRLLVMToLLVMIRTranslation MLIRNVVMToLLVMIRTranslation
    MLIRBuiltinToLLVMIRTranslation MLIRLLVMIRTransforms MLIROptLib)
  foreach(library IN LISTS mlir_libraries)
    tilec_drop_shared_llvm(${library})
  endforeach()
  llvm_map_components_to_libnames(llvm_libraries NVPTXCodeGen NVPTXDesc NVPTXInfo AsmPrinter Passes Linker BitReader
    BitWriter IRReader AsmParser FrontendOpenMP Remarks TargetParser Support)
  target_link_libraries(tilec_mlir INTERFACE ${mlir_libraries} ${llvm_libraries})
  target_link_options(tilec_mlir INTERFACE -Wl,--gc-sections)
else()
  target_link_libraries(tilec_mlir INTERFACE MLIR LLVM)
endif()

add_library(tilec_pch STATIC ${PROJECT_SOURCE_DIR}/lib/Precompiled.cpp)
target_link_libraries(tilec_pch PUBLIC tilec_mlir)
target_precompile_headers(tilec_pch PRIVATE ${PROJECT_SOURCE_DIR}/lib/Precompiled.h)

# tilec_library(NAME SOURCES a.cpp … [LINK lib …] [DEPENDS tablegen-target …])
function(tilec_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC tilec_mlir ${arg_LINK})
  target_precompile_headers(${name} REUSE_FROM tilec_pch)
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
endfunction()

# tilec_tool(NAME SOURCES a.cpp … [LINK lib …])
function(tilec_tool name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE tilec_mlir ${arg_LINK})
  target_precompile_headers(${name} REUSE_FROM tilec_pch)
endfunction()
