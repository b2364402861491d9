# What `cmake --install` installs: the runtime and the simulated device with their headers, the compiler where it was built,
# and the files that find_package(tilec) reads. Headers keep their paths below include/tilec, so that generated headers find
# them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(packageFolder ${CMAKE_INSTALL_LIBDIR}/cmake/tilec)
set_target_properties(tilec_runtime PROPERTIES EXPORT_NAME runtime)
target_include_directories(tilec_runtime PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tilec>)
install(TARGETS tilec_runtime EXPORT tilecTargets COMPONENT runtime)

# The simulated device is a library and an object. The object, which makes it known at the start of a program, is named by
# nothing that a program calls, so it travels as an object: no linker leaves it out.
set(simulatorTargets tilec_simulator tilec_simulator_registration tilec_simulator_linked tilec_target)
foreach(part ptx numeric tensor tma)
  if(TARGET tilec_simulator_${part})
    list(APPEND simulatorTargets tilec_simulator_${part})
    set_target_properties(tilec_simulator_${part} PROPERTIES EXPORT_NAME simulator_${part})
  endif()
endforeach()
set_target_properties(tilec_target PROPERTIES EXPORT_NAME target)
set_target_properties(tilec_simulator PROPERTIES EXPORT_NAME simulator_library)
set_target_properties(tilec_simulator_registration PROPERTIES EXPORT_NAME simulator_registration)
set_target_properties(tilec_simulator_linked PROPERTIES EXPORT_NAME simulator)
install(TARGETS ${simulatorTargets} EXPORT tilecTargets COMPONENT runtime
        OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilec)
if(TARGET tilec)
  # libMLIR and libLLVM may lie outside the system's search path.
  set_target_properties(tilec PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS tilec EXPORT tilecTargets COMPONENT compiler)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/Runtime ${PROJECT_SOURCE_DIR}/lib/Simulator
                  ${PROJECT_SOURCE_DIR}/lib/Target DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilec/lib
        COMPONENT runtime FILES_MATCHING PATTERN "*.h")
install(EXPORT tilecTargets NAMESPACE tilec:: DESTINATION ${packageFolder} COMPONENT runtime)

configure_package_config_file(${PROJECT_SOURCE_DIR}/lib/tilecConfig.cmake.in ${PROJECT_BINARY_DIR}/tilecConfig.cmake
                              INSTALL_DESTINATION ${packageFolder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tilecConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tilecConfig.cmake ${PROJECT_BINARY_DIR}/tilecConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/lib/TilecKernels.cmake
        DESTINATION ${packageFolder} COMPONENT runtime)
