# tilec_add_kernels(TARGET kernel.mlir [more.mlir …]
#                   ARCHS sm_80 [sm_90a …]       targets to compile for
#                   [DEFINES BM=64 T=f16 …]      parameters, as -D gives them
#                   [CONFIGS "BM=64 if dim(A, 0) <= 64" "BM=128 BN=256" …]
#                                                several parameter sets in one header; the first that applies launches
#                   [NAMESPACE name]             C++ namespace around the kernels' own
#                   [HEADER name.h]              name of the header, where there is one kernel file; default kernel.h
#                   [NO_SIMULATOR])              do not link the simulated device
#
# Compiles each kernel file into a launch header, which TARGET can include by name, and links tilec::runtime. The header
# is made again when the kernel file or tilec changes, and what includes it is rebuilt. tilec::simulator is linked as well,
# so that TARGET also runs where there is no GPU.
#
# tilec is the target of that name where this project is part of the build, else the installed one, else
# -DTILEC_EXECUTABLE=…. On a machine without tilec, -DTILEC_HEADERS=FOLDER takes headers made elsewhere: FOLDER is the
# `kernels` folder of the other build, in which the header of TARGET is TARGET/kernel.h.
include_guard(GLOBAL)

set(TILEC_EXECUTABLE "" CACHE FILEPATH "The tilec that compiles kernels, where it is not part of the build")
set(TILEC_HEADERS "" CACHE PATH "Folder of headers made elsewhere, used instead of running tilec")

function(tilec_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_SIMULATOR" "NAMESPACE;HEADER" "ARCHS;DEFINES;CONFIGS")
  set(kernels ${arg_UNPARSED_ARGUMENTS})
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tilec_add_kernels: no target '${target}'; expected one made by add_executable or add_library")
  elseif(NOT kernels)
    message(FATAL_ERROR "tilec_add_kernels(${target}): expected at least one kernel file, found none")
  elseif(NOT arg_ARCHS)
    message(FATAL_ERROR "tilec_add_kernels(${target}): expected ARCHS, for example ARCHS sm_80 sm_90a")
  endif()
  list(LENGTH kernels count)
  if(arg_HEADER AND count GREATER 1)
    message(FATAL_ERROR "tilec_add_kernels(${target}): HEADER needs exactly one kernel file, found ${count}")
  endif()

  if(TILEC_HEADERS)
    set(folder ${TILEC_HEADERS}/${target})
  else()
    set(folder ${CMAKE_BINARY_DIR}/kernels/${target})
    tilec_find_compiler(tilec depends)
  endif()

  list(JOIN arg_ARCHS "," archs)
  set(flags --arch ${archs})
  foreach(definition IN LISTS arg_DEFINES)
    list(APPEND flags -D ${definition})
  endforeach()
  foreach(configuration IN LISTS arg_CONFIGS)
    list(APPEND flags --config ${configuration})
  endforeach()
  if(arg_NAMESPACE)
    list(APPEND flags --namespace ${arg_NAMESPACE})
  endif()

  foreach(kernel IN LISTS kernels)
    cmake_path(ABSOLUTE_PATH kernel BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET kernel STEM stem)
    if(arg_HEADER)
      set(header ${folder}/${arg_HEADER})
    else()
      set(header ${folder}/${stem}.h)
    endif()
    get_property(made TARGET ${target} PROPERTY TILEC_MADE_HEADERS)
    if(header IN_LIST made)
      message(FATAL_ERROR "tilec_add_kernels(${target}): two kernel files give ${header}; name one of them by HEADER")
    endif()
    set_property(TARGET ${target} APPEND PROPERTY TILEC_MADE_HEADERS ${header})
    if(NOT TILEC_HEADERS)
      cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE shown)
      add_custom_command(OUTPUT ${header}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
        COMMAND ${tilec} ${kernel} ${flags} -o ${header}
        DEPENDS ${kernel} ${depends}
        COMMENT "tilec ${shown}"
        VERBATIM)
    elseif(NOT EXISTS ${header})
      message(FATAL_ERROR "tilec_add_kernels(${target}): TILEC_HEADERS has no ${header}")
    endif()
    target_sources(${target} PRIVATE ${header})
  endforeach()
  target_include_directories(${target} PRIVATE ${folder})
  target_link_libraries(${target} PRIVATE tilec::runtime)
  if(NOT arg_NO_SIMULATOR AND TARGET tilec::simulator)
    target_link_libraries(${target} PRIVATE tilec::simulator)
  endif()
endfunction()

# Sets the command that runs tilec and what a header depends on besides its kernel.
function(tilec_find_compiler commandVariable dependsVariable)
  if(TILEC_EXECUTABLE)
    set(command ${TILEC_EXECUTABLE})
    set(depends ${TILEC_EXECUTABLE})
  elseif(TARGET tilec)
    set(command $<TARGET_FILE:tilec>)
    set(depends tilec)
  elseif(TARGET tilec::tilec)
    set(command $<TARGET_FILE:tilec::tilec>)
    get_target_property(depends tilec::tilec LOCATION)
  else()
    find_program(TILEC_FOUND_EXECUTABLE tilec)
    if(NOT TILEC_FOUND_EXECUTABLE)
      message(FATAL_ERROR "tilec_add_kernels: found no tilec; give -DTILEC_EXECUTABLE=… or, for headers made elsewhere, "
                          "-DTILEC_HEADERS=…")
    endif()
    set(command ${TILEC_FOUND_EXECUTABLE})
    set(depends ${TILEC_FOUND_EXECUTABLE})
  endif()
  set(${commandVariable} ${command} PARENT_SCOPE)
  set(${dependsVariable} ${depends} PARENT_SCOPE)
endfunction()
