# The Python package: one extension module on CPython's stable interface (3.11), the package's Python files and the shipped scenes.
# On when scikit-build-core builds (pip install .), or with -DPLIANT_PYTHON=ON for the tests (tools/test), which run it from build/python.
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
file(GLOB PLIANT_MODULE_SOURCES CONFIGURE_DEPENDS python/src/*.c)
Python_add_library(pliant_python MODULE WITH_SOABI ${PLIANT_MODULE_SOURCES})
# CMake before 3.26 does not know the stable interface: the name by hand, Py_LIMITED_API in python/src/fields.h.
set_target_properties(pliant_python PROPERTIES OUTPUT_NAME _pliant PREFIX "" SUFFIX ".abi3.so" C_VISIBILITY_PRESET hidden
                                               LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/pliant)
target_include_directories(pliant_python PRIVATE ${CMAKE_SOURCE_DIR}/python/src)
target_link_libraries(pliant_python PRIVATE pliant pliant_flags)
target_link_options(pliant_python PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/python/src/exports.map -Wl,--gc-sections)
set_target_properties(pliant_python PROPERTIES LINK_DEPENDS ${CMAKE_SOURCE_DIR}/python/src/exports.map)

# What lies beside it in the package: installed by pip, and copied to build/python for the tests.
file(GLOB_RECURSE PLIANT_PACKAGE CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/python python/pliant/*.py python/pliant/*.pyi python/pliant/py.typed)
foreach(file ${PLIANT_PACKAGE})
  configure_file(python/${file} ${CMAKE_BINARY_DIR}/python/${file} COPYONLY)
endforeach()
install(TARGETS pliant_python LIBRARY DESTINATION pliant COMPONENT python)
install(DIRECTORY python/pliant/ DESTINATION pliant COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed"
        PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY scenes/ DESTINATION pliant/scenes COMPONENT python)
