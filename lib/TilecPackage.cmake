# What `cmake --install` installs: the runtime with its headers, the compiler where it was built, and the files that
# find_package(tilec) reads. Headers keep their paths below include/tilec, so that generated headers find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(packageFolder ${CMAKE_INSTALL_LIBDIR}/cmake/tilec)
set_target_properties(tilec_runtime PROPERTIES EXPORT_NAME runtime)
target_include_directories(tilec_runtime PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tilec>)
install(TARGETS tilec_runtime EXPORT tilecTargets COMPONENT runtime)
if(TARGET tilec)
  # libMLIR and libLLVM may lie outside the system's search path.
  set_target_properties(tilec PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS tilec EXPORT tilecTargets COMPONENT compiler)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/Runtime DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilec/lib
        COMPONENT runtime FILES_MATCHING PATTERN "*.h")
install(EXPORT tilecTargets NAMESPACE tilec:: DESTINATION ${packageFolder} COMPONENT runtime)

configure_package_config_file(${PROJECT_SOURCE_DIR}/lib/tilecConfig.cmake.in ${PROJECT_BINARY_DIR}/tilecConfig.cmake
                              INSTALL_DESTINATION ${packageFolder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tilecConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tilecConfig.cmake ${PROJECT_BINARY_DIR}/tilecConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/lib/TilecKernels.cmake
        DESTINATION ${packageFolder} COMPONENT runtime)
