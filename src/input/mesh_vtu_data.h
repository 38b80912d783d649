// mesh_vtu_data.h: the numbers of a VTU array, wherever and however the file keeps them.
#ifndef PL_INPUT_MESH_VTU_DATA_H
#define PL_INPUT_MESH_VTU_DATA_H

#include "input/mesh_cursor.h"

typedef enum plVtuFormat { PL_VTU_ASCII, PL_VTU_BINARY, PL_VTU_APPENDED } plVtuFormat;

// What holds for the whole file.
typedef struct plVtuFile {
  plCursor* c;
  bool little_endian, compressed;
  plNumber header_type;           // PL_UINT32 or PL_UINT64
  const unsigned char* appended;  // first byte behind the underscore, NULL if the file has no appended data
  bool appended_base64;
} plVtuFile;

typedef struct plVtuArray {
  bool found;
  char name[32];  // for errors: "points", "connectivity" ...
  plNumber type;
  plVtuFormat format;
  long long offset;                  // appended: from the underscore
  const unsigned char *begin, *end;  // inline: the text between the tags
} plVtuArray;

// A cursor over the numbers: over the text itself, or over decoded bytes in *memory, which the caller frees
// with pl_free (also after a failure).
plStatus pl_vtu_open(const plVtuFile* file, const plVtuArray* array, plCursor* cursor,
                     unsigned char** memory);

#endif
