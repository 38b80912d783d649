# Library, headers, pkg-config file, CMake package, command, scenes.
