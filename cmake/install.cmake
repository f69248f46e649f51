# `cmake --install` gives a working find_package(plumbline).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plumbline)
install(TARGETS plumbline EXPORT plumbline)
if(BUILD_SHARED_LIBS)
  install(TARGETS plumbline_shared EXPORT plumbline)
endif()
install(DIRECTORY include/plumbline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/plumbline/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/plumbline)
install(EXPORT plumbline NAMESPACE plumbline:: FILE plumblineTargets.cmake
  DESTINATION ${package_dir})
configure_package_config_file(cmake/plumblineConfig.cmake.in
  ${PROJECT_BINARY_DIR}/plumblineConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/plumblineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/plumblineConfig.cmake
  ${PROJECT_BINARY_DIR}/plumblineConfigVersion.cmake
  DESTINATION ${package_dir})
if(TARGET plumbline_cli)
  install(TARGETS plumbline_cli)
endif()
