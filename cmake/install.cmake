# Libraries, headers, pkg-config file, CMake package, command, scenes, man page, completion.
include(CMakePackageConfigHelpers)

install(TARGETS pliant pliant_shared EXPORT pliantTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT pliantTargets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
configure_package_config_file(cmake/pliantConfig.cmake.in ${CMAKE_BINARY_DIR}/pliantConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/pliantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pliantConfig.cmake ${CMAKE_BINARY_DIR}/pliantConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)

# The pkg-config file finds its own folder, so that `cmake --install --prefix` works anywhere.
file(RELATIVE_PATH PLIANT_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/pliant.pc.in ${CMAKE_BINARY_DIR}/pliant.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/pliant.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET pliant_command)
  install(TARGETS pliant_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/scenes)
if(EXISTS ${CMAKE_SOURCE_DIR}/docs/pliant.1)
  install(FILES docs/pliant.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/tools/completion/pliant.bash)
  install(FILES tools/completion/pliant.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pliant)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/tools/completion/_pliant)
  install(FILES tools/completion/_pliant DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
