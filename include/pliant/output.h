// output.h: what comes out of a simulation: recordings, signals, files for other programs, pictures.
//
// Every export reads a plData, be it a running one or the frame of a recording that a plReplay shows. Units
// are SI.
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_OUTPUT_H
#define PLIANT_OUTPUT_H

#include "pliant/data.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- files

// PL_ERROR_INPUT unless the path, its links resolved, lies below the working folder: where a scene may write.
PL_API plStatus pl_output_check_below(const char* path, plError* error);
// Nothing is overwritten that holds something of another kind, judged by its first bytes. PL_OK: the file is
// of that kind, empty, not there, or a pipe or device.
typedef enum plOutputKind {
  PL_OUTPUT_RECORDING,
  PL_OUTPUT_TABLE,
  PL_OUTPUT_STATE,
  PL_OUTPUT_JSON,
  PL_OUTPUT_PNG,
  PL_OUTPUT_KIND_COUNT
} plOutputKind;
PL_API plStatus pl_output_check_kind(const char* path, plOutputKind kind, plError* error);
// A text of JSON as a whole file; one that holds something else is not overwritten.
PL_API plStatus pl_output_json(const char* path, const char* text, size_t size, plError* error);
// Control characters, and bytes that are not UTF-8, become '?': what is shown on a terminal. In place.
PL_API void pl_output_make_plain(char* text);
// How many bytes at text are one character of UTF-8 (1 to 4); 0 if they are none.
PL_API int pl_output_utf8(const char* text);

// ---- recording: the model once, then one frame per call; a file that ends anywhere is readable up to its
// last whole frame

typedef struct plRecording plRecording;

// A file that holds something else than a recording is not overwritten.
PL_API plStatus pl_recording_open(const char* path, const plModel* model, plRecording** recording,
                                  plError* error);
// Goes on with a recording of the same model whose last whole frame has data's time: the next frame is
// written behind it. What a crash left behind that frame is cut off.
PL_API plStatus pl_recording_continue(const char* path, const plData* data, plRecording** recording,
                                      plError* error);
// Adds the state, contacts and report of now as a frame, with one write.
PL_API plStatus pl_recording_write(plRecording* recording, const plData* data, plError* error);
// Marks the recording as finished and frees it, whatever the status; NULL is fine.
PL_API plStatus pl_recording_close(plRecording* recording, plError* error);

// ---- replay: a recording as a model and data that every export accepts (but not pl_step)

typedef struct plReplay plReplay;

typedef struct plReplayInfo {
  int nframe;            // whole frames
  bool closed;           // the recording was finished by pl_recording_close
  long long lost_bytes;  // bytes behind the last whole frame that could not be read
  char note[256];        // what a user should know about the end of the file, or empty
} plReplayInfo;

PL_API plStatus pl_replay_open(const char* path, plReplay** replay, plError* error);
PL_API void pl_replay_close(plReplay* replay);
PL_API const plReplayInfo* pl_replay_info(const plReplay* replay);
PL_API double pl_replay_time(const plReplay* replay, int frame);  // s
PL_API int pl_replay_nearest(const plReplay* replay,
                             double time);  // the frame nearest in time, -1 if there is none
PL_API const plModel* pl_replay_model(const plReplay* replay);
// Loads a frame into the replay's data. On failure the data stays as it was.
PL_API plStatus pl_replay_seek(plReplay* replay, int frame, plError* error);
PL_API const plData* pl_replay_data(
    const plReplay* replay);  // before the first pl_replay_seek: the start, moving shapes not yet placed
// Sets a simulation of the same model to the frame that was loaded last, so that it goes on with the bits of
// the recorded run.
PL_API plStatus pl_replay_restore(const plReplay* replay, plData* data, plError* error);

// ---- signals: numbers by name, as "time, block.com.z, contact(ground,block).force" (docs/scene.md, Signals)

typedef struct plSignals plSignals;

// Vectors become x, y, z and norm; a body named * stands for every deformable body.
PL_API plStatus pl_signals_create(const plModel* model, const char* list, plSignals** signals,
                                  plError* error);
PL_API void pl_signals_destroy(plSignals* signals);
PL_API int pl_signals_count(const plSignals* signals);
PL_API const char* pl_signals_name(const plSignals* signals, int i);  // "block.com.z"
PL_API const char* pl_signals_unit(const plSignals* signals, int i);  // "m"; "1" for a pure number
// row[pl_signals_count]
PL_API plStatus pl_signals_eval(plSignals* signals, const plData* data, double* row, plError* error);
// All kinds of signals with units, one per line, for help texts.
PL_API const char* pl_signals_help(void);

// A table of signals: a line of "name [unit]" in quotes, then one line per call, every number with 17 digits.
// A file that holds something else than a table is not overwritten.
typedef struct plCsv plCsv;
PL_API plStatus pl_csv_open(const char* path, const plModel* model, const char* signals, plCsv** csv,
                            plError* error);
// A table of contact points: a line per point and call with time, sides, position, normal, gap, area, force
// on B, pressure, shear traction, slip, stick, and the facets and tetrahedra concerned (-1: none), counted as
// in the model.
PL_API plStatus pl_csv_open_contacts(const char* path, plCsv** csv, plError* error);
PL_API plStatus pl_csv_write(plCsv* csv, const plData* data, plError* error);
PL_API plStatus pl_csv_close(plCsv* csv, plError* error);  // frees it, whatever the status; NULL is fine

// ---- VTU files and the PVD collection that plays them in ParaView

typedef struct plSeries plSeries;
// Makes the folder if needed; FOLDER/NAME.pvd lists the files, NAME being the folder's name.
PL_API plStatus pl_series_open(const char* folder, const plModel* model, plSeries** series, plError* error);
// One file per deformable body (displacement, velocity, stress, strain, ...), one for the rigid shapes, one
// for the contacts.
PL_API plStatus pl_series_write(plSeries* series, const plData* data, plError* error);
PL_API plStatus pl_series_close(plSeries* series,
                                plError* error);  // frees it, whatever the status; NULL is fine

// ---- surfaces of a frame: deformed bodies and rigid shapes (half spaces left out)

PL_API plStatus pl_surface_save_obj(const char* path, const plData* data, plError* error);
PL_API plStatus pl_surface_save_ply(const char* path, const plData* data, plError* error);

// ---- pictures

typedef enum plColour {
  PL_COLOUR_BODY,          // one colour per body
  PL_COLOUR_DISPLACEMENT,  // m, from the start
  PL_COLOUR_SPEED,         // m/s
  PL_COLOUR_STRAIN,        // largest principal Green strain
  PL_COLOUR_VON_MISES,     // Pa
  PL_COLOUR_PRESSURE,      // Pa
  PL_COLOUR_COUNT
} plColour;

// "body", "displacement", "speed", "strain", "von_mises", "pressure"
PL_API const char* pl_colour_name(plColour colour);
PL_API plStatus pl_colour_by_name(const char* name, plColour* colour, plError* error);

typedef struct plPictureOptions {
  int width, height;    // pixels; default 1280 x 800
  double azimuth;       // degrees, where the camera stands about z, 0: on the x axis; default -60
  double elevation;     // degrees above the horizon, in [-89, 89]; default 18
  double zoom;          // > 0; default 1: everything is in view
  plVec3 lower, upper;  // m, the box to keep in view; default empty (lower > upper): what there is
  plColour colour;      // default PL_COLOUR_BODY
  double range[2];      // of the colours; default empty (range[0] > range[1]): what there is
  bool legend;          // for fields; default true
  bool edges;           // edges of the mesh, where they are long enough to see; default true
  bool contacts;        // arrows for contact forces; default false
  bool clock;           // the time in a corner; default false
  int samples;          // per pixel and direction, 1 .. 4; default 3
  int threads;          // default 1; the picture does not depend on it
} plPictureOptions;

PL_API plPictureOptions pl_default_picture_options(void);
// What a picture of data would show: the box of its bodies and the range of the colours, to keep both the
// same over many frames: lower, upper and range of *options are widened to hold it.
PL_API plStatus pl_picture_include(const plData* data, plPictureOptions* options, plError* error);
// rgb [3 width height]: 8 bits each, rows from the top.
PL_API plStatus pl_picture_pixels(const plData* data, const plPictureOptions* options, unsigned char* rgb,
                                  plError* error);
// Writes a PNG file.
PL_API plStatus pl_picture_draw(const plData* data, const plPictureOptions* options, const char* path,
                                plError* error);

// The readings of cameras, grids of taxels and grids of markers (sensor.h) as panes of one PNG file: colours
// are distances, normal forces (N), displacements along z (m); arrows are shear and displacements along x and
// y.
PL_API plStatus pl_sensor_sheet(const plData* data, const char* path, plError* error);

// ---- animated pictures

// A GIF of pictures of one size with one palette of 255 colours, repeated for ever. First pl_gif_include some
// or all of the pictures, to choose the palette; then pl_gif_add all of them. The file is written by
// pl_gif_close.
typedef struct plGif plGif;
// seconds: how long each picture is shown, 0.02 or more, rounded to 0.01 s.
PL_API plStatus pl_gif_open(const char* path, int width, int height, double seconds, plGif** gif,
                            plError* error);
// rgb [3 width height] as pl_picture_pixels writes it.
PL_API plStatus pl_gif_include(plGif* gif, const unsigned char* rgb, plError* error);
PL_API plStatus pl_gif_add(plGif* gif, const unsigned char* rgb, plError* error);
// Writes the file and frees the GIF, whatever the status; NULL is fine.
PL_API plStatus pl_gif_close(plGif* gif, plError* error);
// Frees the GIF and writes nothing.
PL_API void pl_gif_discard(plGif* gif);

#ifdef __cplusplus
}
#endif
#endif
