// output.h: results of a simulation: recordings, signals, files for other programs, pictures.
//
// Every export reads a plData, either of a running simulation or of a recording (plReplay). Units are SI.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_OUTPUT_H
#define PLIANT_OUTPUT_H

#include "pliant/data.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- files

// Fails with PL_ERROR_INPUT unless the path, with links resolved, lies below the working folder. Scene files
// may only write there.
PL_API plStatus pl_output_check_below(const char* path, plError* error);
// Protects files of another kind from being overwritten; the kind is judged by the first bytes. Returns PL_OK
// if the file is of that kind, empty, missing, or a pipe or device.
typedef enum plOutputKind {
  PL_OUTPUT_RECORDING,
  PL_OUTPUT_TABLE,
  PL_OUTPUT_STATE,
  PL_OUTPUT_JSON,
  PL_OUTPUT_PNG,
  PL_OUTPUT_GIF,
  PL_OUTPUT_KIND_COUNT
} plOutputKind;
PL_API plStatus pl_output_check_kind(const char* path, plOutputKind kind, plError* error);
// Writes a JSON text as a file. A file that holds something else is not overwritten.
PL_API plStatus pl_output_json(const char* path, const char* text, size_t size, plError* error);
// Replaces control characters and bytes that are not UTF-8 by '?', in place, so that the text can be shown on
// a terminal.
PL_API void pl_output_make_plain(char* text);
// The number of bytes of the UTF-8 character at text (1 to 4); 0 if it is not one.
PL_API int pl_output_utf8(const char* text);

// ---- recording: a file with the model and one frame per call; if it is cut off anywhere, it can be read up
// to its last complete frame

typedef struct plRecording plRecording;

// A file that holds something else than a recording is not overwritten.
PL_API plStatus pl_recording_open(const char* path, const plModel* model, plRecording** recording,
                                  plError* error);
// Continues a recording of the same model whose last complete frame has data's time; new frames are appended.
// Incomplete bytes that a crash left after that frame are removed.
PL_API plStatus pl_recording_continue(const char* path, const plData* data, plRecording** recording,
                                      plError* error);
// Appends the present state, contacts and report as a frame, in one write.
PL_API plStatus pl_recording_write(plRecording* recording, const plData* data, plError* error);
// Marks the recording as finished and frees it, whatever the status. NULL is allowed.
PL_API plStatus pl_recording_close(plRecording* recording, plError* error);

// ---- replay: a recording as a model and a plData that every export accepts; pl_step does not

typedef struct plReplay plReplay;

typedef struct plReplayInfo {
  int nframe;            // complete frames
  bool closed;           // true if the recording was finished by pl_recording_close
  long long lost_bytes;  // bytes after the last complete frame, which could not be read
  char note[256];        // a sentence about the end of the file for the user, or empty
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
    const plReplay* replay);  // before the first pl_replay_seek it holds the initial state, in which moving
                              // shapes have no pose yet
// Sets a simulation of the same model to the frame that was loaded last; it continues with the same bits as
// the recorded run.
PL_API plStatus pl_replay_restore(const plReplay* replay, plData* data, plError* error);

// ---- signals: numbers by name, as "time, block.com.z, contact(ground,block).force" (docs/scene.md, Signals)

typedef struct plSignals plSignals;

// A vector becomes four signals: x, y, z and norm. The name * stands for every deformable body.
PL_API plStatus pl_signals_create(const plModel* model, const char* list, plSignals** signals,
                                  plError* error);
PL_API void pl_signals_destroy(plSignals* signals);
PL_API int pl_signals_count(const plSignals* signals);
PL_API const char* pl_signals_name(const plSignals* signals, int i);  // "block.com.z"
PL_API const char* pl_signals_unit(const plSignals* signals, int i);  // "m"; "1" for a pure number
// row[pl_signals_count]
PL_API plStatus pl_signals_eval(plSignals* signals, const plData* data, double* row, plError* error);
// A text with all kinds of signals and their units, one per line.
PL_API const char* pl_signals_help(void);

// A CSV table of signals: a line of "name [unit]" in quotes, then one line per call, with 17 digits. A file
// that is not a table is not overwritten.
typedef struct plCsv plCsv;
PL_API plStatus pl_csv_open(const char* path, const plModel* model, const char* signals, plCsv** csv,
                            plError* error);
// A CSV table of contact points: one line per point and call with time, sides, position, normal, gap, area,
// force on B, pressure, shear traction, slip, stick, and the facets and tetrahedra of both sides (-1 for
// none), numbered as in the model.
PL_API plStatus pl_csv_open_contacts(const char* path, plCsv** csv, plError* error);
PL_API plStatus pl_csv_write(plCsv* csv, const plData* data, plError* error);
PL_API plStatus pl_csv_close(plCsv* csv, plError* error);  // frees it, whatever the status; NULL is fine

// ---- VTU files and the PVD collection that plays them in ParaView

typedef struct plSeries plSeries;
// Creates the folder if needed. FOLDER/NAME.pvd lists the files, where NAME is the folder's name.
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
  double azimuth;       // degrees, angle of the camera about z; 0 is on the x axis; default -60
  double elevation;     // degrees above the horizon, in [-89, 89]; default 18
  double zoom;          // > 0; default 1 shows the whole scene
  plVec3 lower, upper;  // m, box to keep in view; default empty (lower > upper): the scene's own
  plColour colour;      // default PL_COLOUR_BODY
  double range[2];      // values at the ends of the colour scale; default empty (range[0] > range[1]): the
                        // scene's own
  bool legend;          // true draws the scale of the colours for fields; default true
  bool edges;           // true draws the edges of the mesh where they are long enough to see; default true
  bool contacts;        // true draws arrows for contact forces; default false
  bool clock;           // true writes the time into a corner; default false
  int samples;          // per pixel and direction, 1 .. 4; default 3
  int threads;          // default 1; the picture does not depend on it
} plPictureOptions;

PL_API plPictureOptions pl_default_picture_options(void);
// Widens lower, upper and range of *options to include the bodies and field values of data. Call it for many
// frames to draw them all with the same view and colours.
PL_API plStatus pl_picture_include(const plData* data, plPictureOptions* options, plError* error);
// Draws into rgb [3 width height], 8 bits each, rows from the top.
PL_API plStatus pl_picture_pixels(const plData* data, const plPictureOptions* options, unsigned char* rgb,
                                  plError* error);
// Writes a PNG file.
PL_API plStatus pl_picture_draw(const plData* data, const plPictureOptions* options, const char* path,
                                plError* error);

// The readings of cameras, grids of taxels and grids of markers (sensor.h) as panes of one PNG file. Colours
// show distances (cameras), normal forces in N (taxels) or displacements along z in m (markers); arrows show
// shear forces (taxels) or displacements along x and y (markers).
PL_API plStatus pl_sensor_sheet(const plData* data, const char* path, plError* error);

// ---- animated pictures

// An endless animated GIF of pictures of one size with one palette of 255 colours. First call pl_gif_include
// for some or all pictures to choose the palette, then pl_gif_add for each picture. pl_gif_close writes the
// file.
typedef struct plGif plGif;
// seconds is the time for which each picture is shown, at least 0.02, rounded to 0.01 s.
PL_API plStatus pl_gif_open(const char* path, int width, int height, double seconds, plGif** gif,
                            plError* error);
// rgb [3 width height] as pl_picture_pixels writes it.
PL_API plStatus pl_gif_include(plGif* gif, const unsigned char* rgb, plError* error);
PL_API plStatus pl_gif_add(plGif* gif, const unsigned char* rgb, plError* error);
// Writes the file and frees the GIF, whatever the status. NULL is allowed.
PL_API plStatus pl_gif_close(plGif* gif, plError* error);
// Frees the GIF and writes nothing.
PL_API void pl_gif_discard(plGif* gif);

#ifdef __cplusplus
}
#endif
#endif
