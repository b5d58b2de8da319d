# SPDX-License-Identifier: MIT
# What `cmake --install` puts in place: public headers, both libraries, the program, pkg-config file and CMake package.
include(CMakePackageConfigHelpers)

set(acp_installed acphys)
foreach(target acphys_shared acphys_wire)
  if(TARGET ${target})
    list(APPEND acp_installed ${target})
  endif()
endforeach()
install(TARGETS ${acp_installed} EXPORT acphysTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/acphys DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT acphysTargets NAMESPACE acphys:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/acphys)

configure_package_config_file(cmake/acphysConfig.cmake.in ${PROJECT_BINARY_DIR}/acphysConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/acphys)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/acphysConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/acphysConfig.cmake ${PROJECT_BINARY_DIR}/acphysConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/acphys)

# Relative to where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH acp_pc_prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" acp_pc_prefix "${acp_pc_prefix}")
set(acp_pc_requires "")
if(ACP_WITH_ZLIB)
  set(acp_pc_requires zlib)
endif()
configure_file(cmake/acphys.pc.in ${PROJECT_BINARY_DIR}/acphys.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/acphys.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE README.md DIVERGENCES.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
