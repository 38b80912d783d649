# The page of pliant/view.h: bundled from viewer/ by node and esbuild into a C file of compressed bytes. Where node or npm is missing, or
# the packages cannot be had, the library is built without the page and pl_view_open says so.
set(page ${CMAKE_BINARY_DIR}/viewer/page.c)
find_program(PLIANT_NODE NAMES node nodejs)
find_program(PLIANT_NPM npm)
if(PLIANT_NODE AND PLIANT_NPM)
  file(GLOB PAGE_SOURCES CONFIGURE_DEPENDS viewer/src/*.js viewer/src/*.css viewer/src/*.html)
  # The stamp is written only on success: otherwise the next build tries again.
  add_custom_command(OUTPUT ${page} ${page}.stamp
                     COMMAND ${PLIANT_NODE} ${CMAKE_SOURCE_DIR}/viewer/build.mjs ${page} ${PLIANT_NPM}
                     DEPENDS ${PAGE_SOURCES} viewer/build.mjs viewer/package.json viewer/package-lock.json
                     COMMENT "Bundling the viewer's page" VERBATIM)
else()
  file(WRITE ${page}
       "#include \"parts.h\"\nconst plWebFile pl_page_files[] = {{0}};\nconst int pl_page_file_count = 0;\nconst char pl_page_missing[] =\n"
       "    \"this library was built without the viewer's page, because node and npm were not there; \"\n"
       "    \"install them (apt-get install nodejs npm) and build again\";\n")
endif()
target_sources(pliant_objects PRIVATE ${page})
set_source_files_properties(${page} PROPERTIES COMPILE_OPTIONS "-I${CMAKE_SOURCE_DIR}/src/view")
