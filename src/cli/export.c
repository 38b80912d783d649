// export.c: `pliant export`: from a recording to VTU series, tables, surfaces and pictures.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "report.h"

typedef struct ExportArgs {
  const char *file, *vtu, *csv, *signals, *points, *obj, *ply, *png, *gif;
  const char *colour, *size, *view, *range;
  double time, frame, zoom;
  int every, threads;
  bool contacts, no_edges, no_legend, clock, list;
} ExportArgs;

static const char examples[] =
    "  pliant export run.plrec\n"
    "      what the recording holds\n"
    "  pliant export run.plrec --vtu folder\n"
    "      one file per body and frame; open folder/folder.pvd in ParaView\n"
    "  pliant export run.plrec --csv z.csv --signals 'time, block.com.z, contact(ground,block).force'\n"
    "      one line per frame, in SI units\n"
    "  pliant export run.plrec --png end.png --colour von_mises\n"
    "      a picture of the last frame, coloured by stress, with a legend\n"
    "  pliant export run.plrec --png 'shots/%04d.png' --every 2 --clock\n"
    "      every second frame, all with one camera and one scale of colours\n"
    "  pliant export run.plrec --gif run.gif --size 480x300 --every 4\n"
    "      an animation of every fourth frame, in real time\n"
    "  pliant export run.plrec --ply frame.ply --time 0.5\n"
    "      the deformed surfaces at the frame nearest to 0.5 s\n";

static const char summary_head[] =
    "Reads RECORDING (made by `pliant run SCENE --record FILE`, finished or interrupted) and writes the "
    "requested files.\n"
    "--vtu, --csv, --points, --gif and a --png name with %d take every frame; the others take one: the last, "
    "or "
    "that of "
    "--time or --frame.\n"
    "\n"
    "Signals for --csv, separated by commas:\n";

// ---- parsing of options

// "A,B" or "AxB" with the given separator.
static bool read_pair(const char* text, char separator, double pair[2]) {
  char *end, *last;
  pair[0] = strtod(text, &end);
  if (end == text || *end != separator) return false;
  pair[1] = strtod(end + 1, &last);
  return last != end + 1 && !*last && isfinite(pair[0]) && isfinite(pair[1]);
}

static int read_picture_options(const ExportArgs* a, plPictureOptions* o) {
  plError error;
  double pair[2];
  *o = pl_default_picture_options();
  if (a->colour && pl_colour_by_name(a->colour, &o->colour, &error)) return complain_error(&error);
  if (a->size && (!read_pair(a->size, 'x', pair) || pair[0] < 16 || pair[1] < 16 || pair[0] > 16384 ||
                  pair[1] > 16384)) {
    complain("export: --size takes WIDTHxHEIGHT in pixels, 16 to 16384, as in 1280x800; got '%s'", a->size);
    return EXIT_BAD_INPUT;
  }
  if (a->size) o->width = (int)pair[0], o->height = (int)pair[1];
  if (a->view && (!read_pair(a->view, ',', pair) || fabs(pair[1]) > 89)) {
    complain(
        "export: --view takes AZIMUTH,ELEVATION in degrees, the elevation in -89 .. 89, as in -60,18; got "
        "'%s'",
        a->view);
    return EXIT_BAD_INPUT;
  }
  if (a->view) o->azimuth = pair[0], o->elevation = pair[1];
  if (a->range && (!read_pair(a->range, ',', pair) || !(pair[0] < pair[1]))) {
    complain("export: --range takes LOW,HIGH in SI units, as in 0,5000; got '%s'", a->range);
    return EXIT_BAD_INPUT;
  }
  if (a->range) o->range[0] = pair[0], o->range[1] = pair[1];
  if (!(a->zoom > 0)) {
    complain("export: --zoom takes a number above 0, got %g", a->zoom);
    return EXIT_BAD_INPUT;
  }
  o->zoom = a->zoom;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  o->threads = a->threads > 0 ? a->threads : cores > 16 ? 16 : cores > 1 ? (int)cores : 1;
  o->contacts = a->contacts, o->edges = !a->no_edges, o->legend = !a->no_legend, o->clock = a->clock;
  return -1;
}

// ---- all frames

// Calls write for every frame (or every n-th).
typedef plStatus WriteFrame(void* target, const plData* data, plError* error);
static plStatus each_frame(plReplay* replay, int every, WriteFrame* write, void* target, plError* error) {
  plStatus status = PL_OK;
  for (int i = 0; i < pl_replay_info(replay)->nframe && !status; i += every)
    if (!(status = pl_replay_seek(replay, i, error))) status = write(target, pl_replay_data(replay), error);
  return status;
}

static plStatus write_vtu(void* target, const plData* data, plError* error) {
  return pl_series_write(target, data, error);
}
static plStatus write_csv(void* target, const plData* data, plError* error) {
  return pl_csv_write(target, data, error);
}

static plStatus export_vtu(plReplay* replay, const ExportArgs* a, plError* error) {
  plSeries* series;
  plError other;
  plStatus status = pl_series_open(a->vtu, pl_replay_model(replay), &series, error);
  if (status) return status;
  status = each_frame(replay, a->every, write_vtu, series, error);
  plStatus closed = pl_series_close(series, status ? &other : error);
  return status ? status : closed;
}

// A table of signals, or of contact points.
static plStatus export_csv(plReplay* replay, const ExportArgs* a, bool points, plError* error) {
  plCsv* csv;
  plError other;
  plStatus status = points ? pl_csv_open_contacts(a->points, &csv, error)
                           : pl_csv_open(a->csv, pl_replay_model(replay), a->signals, &csv, error);
  if (status) return status;
  status = each_frame(replay, a->every, write_csv, csv, error);
  plStatus closed = pl_csv_close(csv, status ? &other : error);
  return status ? status : closed;
}

// ---- pictures

// The single %d (with width, as %04d) of a name; NULL if there is none. Any other % makes *wrong true.
static const char* find_number(const char* name, bool* wrong) {
  const char* found = NULL;
  *wrong = false;
  for (const char* c = strchr(name, '%'); c; c = strchr(c + 1, '%')) {
    const char* d = c + 1;
    while (*d >= '0' && *d <= '9') d++;
    if (*d != 'd' || found || d - c > 3) *wrong = true;
    found = c;
  }
  return found;
}

typedef struct Shots {
  const char *name, *number;
  plPictureOptions options;
  int frame;
} Shots;

static plStatus write_include(void* target, const plData* data, plError* error) {
  return pl_picture_include(data, &((Shots*)target)->options, error);
}

static plStatus write_shot(void* target, const plData* data, plError* error) {
  Shots* s = target;
  char path[PATH_SIZE];
  const char* rest = strchr(s->number, 'd') + 1;
  int digits = atoi(s->number + 1), head = (int)(s->number - s->name);
  snprintf(path, sizeof path, "%.*s%0*d%s", head, s->name, digits, s->frame++, rest);
  return pl_picture_draw(data, &s->options, path, error);
}

// Every frame with one camera and one range of colours.
static plStatus export_shots(plReplay* replay, const ExportArgs* a, const char* number,
                             const plPictureOptions* options, plError* error) {
  Shots shots = {.name = a->png, .number = number, .options = *options};
  plStatus status = each_frame(replay, a->every, write_include, &shots, error);
  if (a->range) memcpy(shots.options.range, options->range, sizeof options->range);
  if (!status) status = each_frame(replay, a->every, write_shot, &shots, error);
  if (!status) printf("%d pictures\n", shots.frame);
  return status;
}

// An animation in real time: the palette is made from its first picture and others at equal distances, fewer
// than 24 in all.
typedef struct Animation {
  plGif* gif;
  unsigned char* rgb;
  plPictureOptions options;
  bool counting;
} Animation;

static plStatus write_animated(void* target, const plData* data, plError* error) {
  Animation* a = target;
  plStatus status = pl_picture_pixels(data, &a->options, a->rgb, error);
  if (status) return status;
  return a->counting ? pl_gif_include(a->gif, a->rgb, error) : pl_gif_add(a->gif, a->rgb, error);
}

static plStatus export_gif(plReplay* replay, const ExportArgs* a, const plPictureOptions* options,
                           plError* error) {
  enum { SAMPLES = 12 };
  int n = pl_replay_info(replay)->nframe, shown = n ? (n - 1) / a->every + 1 : 0;
  double last = n > 1 ? pl_replay_time(replay, n - 1) - pl_replay_time(replay, 0) : 0;
  double seconds =
      n > 1 ? last / (n - 1) * fmin(a->every, n) : 1;  // one picture is shown as long as all frames
  Shots include = {.options = *options};
  Animation animation = {0};
  plStatus status = each_frame(replay, a->every, write_include, &include, error);
  if (a->range) memcpy(include.options.range, options->range, sizeof options->range);
  if (status) return status;
  animation.options = include.options;
  animation.rgb = malloc(3 * (size_t)options->width * (size_t)options->height);
  if (!animation.rgb) {
    *error = (plError){.status = PL_ERROR_MEMORY,
                       .message = "there is not enough memory for a picture of this size"};
    return PL_ERROR_MEMORY;
  }
  status = pl_gif_open(a->gif, options->width, options->height, seconds, &animation.gif, error);
  animation.counting = true;
  int step = a->every * (shown > SAMPLES ? shown / SAMPLES : 1);
  if (!status) status = each_frame(replay, step, write_animated, &animation, error);
  animation.counting = false;
  if (!status) status = each_frame(replay, a->every, write_animated, &animation, error);
  if (status)
    pl_gif_discard(animation.gif);
  else
    status = pl_gif_close(animation.gif, error);
  free(animation.rgb);
  if (!status) printf("%d pictures, %g s each\n", shown, seconds);
  return status;
}

// ---- one frame

// The requested frame, or -1 after a message.
static int choose_frame(const plReplay* replay, const ExportArgs* a) {
  plError error;
  int n = pl_replay_info(replay)->nframe, frame = frame_near(replay, "--time", a->time, &error);
  if (n > 0 && !isnan(a->frame)) {
    if (a->frame == floor(a->frame) && a->frame >= 0 && a->frame < n) return (int)a->frame;
    complain("export: --frame takes a whole number in 0 .. %d, got %g", n - 1, a->frame);
    return -1;
  }
  if (frame < 0) complain("export: %s", error.message);
  return frame;
}

static int export_one(plReplay* replay, const ExportArgs* a, const plPictureOptions* options, bool picture) {
  plError error;
  int frame = choose_frame(replay, a);
  if (frame < 0) return EXIT_BAD_INPUT;
  plStatus status = pl_replay_seek(replay, frame, &error);
  const plData* data = pl_replay_data(replay);
  if (!status && a->obj) status = pl_surface_save_obj(a->obj, data, &error);
  if (!status && a->ply) status = pl_surface_save_ply(a->ply, data, &error);
  if (!status && picture) status = pl_picture_draw(data, options, a->png, &error);
  if (status) return complain_error(&error);
  printf("frame %d, t = %g s\n", frame, data->time);
  return EXIT_DONE;
}

// ---- the summary

static void print_frames(const plReplay* replay) {
  int n = pl_replay_info(replay)->nframe;
  for (int i = 0; i < n; i++) printf("%6d  %.9g s\n", i, pl_replay_time(replay, i));
}

static void print_recording(const plReplay* replay, const char* path) {
  const plReplayInfo* info = pl_replay_info(replay);
  const plModel* m = pl_replay_model(replay);
  say(stdout, "%s: %d frames", path, info->nframe);
  if (info->nframe)
    printf(", from %g s to %g s", pl_replay_time(replay, 0), pl_replay_time(replay, info->nframe - 1));
  printf("; time step %g s\n", m->par->options.dt);
  for (int b = 0; b < m->ndeform; b++)
    say(stdout, "  body   %-20s %d vertices, %d tetrahedra, %.4g kg, %s\n", m->deform_name[b],
        m->deform_vert0[b + 1] - m->deform_vert0[b], m->deform_tet0[b + 1] - m->deform_tet0[b],
        m->par->deform_material[b].density * m->deform_volume[b],
        pl_material_name(m->par->deform_material[b].kind));
  for (int g = 0; g < m->nshape; g++)
    say(stdout, "  shape  %-20s %s\n", m->shape_name[g], pl_shape_name(m->shape_kind[g]));
  printf("`pliant export --help` lists what can be made from it\n");
}

// ---- all of it

static int work(plReplay* replay, const ExportArgs* a) {
  plError error;
  const plReplayInfo* info = pl_replay_info(replay);
  if (info->note[0]) complain("%s: %s", a->file, info->note);
  plPictureOptions options;
  int status = read_picture_options(a, &options);
  if (status >= 0) return status;
  bool wrong;
  const char* number = a->png ? find_number(a->png, &wrong) : NULL;
  if (a->png && wrong) {
    complain("export: a --png name takes one %%d, as in shots/%%04d.png; got '%s'", a->png);
    return EXIT_BAD_INPUT;
  }
  const char* const all[] = {a->csv, a->points, a->obj, a->ply, number ? NULL : a->png, a->gif};
  if (!are_apart(all, sizeof all / sizeof *all)) return EXIT_BAD_INPUT;
  // checked before pictures are drawn, which takes long
  if ((a->gif && !can_write(a->gif, PL_OUTPUT_GIF)) ||
      (a->png && !number && !can_write(a->png, PL_OUTPUT_PNG)))
    return EXIT_BAD_INPUT;
  if (a->list) print_frames(replay);
  if (!a->vtu && !a->csv && !a->points && !a->obj && !a->ply && !a->png && !a->gif && !a->list)
    print_recording(replay, a->file);
  if (a->vtu && export_vtu(replay, a, &error)) return complain_error(&error);
  if (a->csv && export_csv(replay, a, false, &error)) return complain_error(&error);
  if (a->points && export_csv(replay, a, true, &error)) return complain_error(&error);
  if (number && export_shots(replay, a, number, &options, &error)) return complain_error(&error);
  if (a->gif && export_gif(replay, a, &options, &error)) return complain_error(&error);
  bool picture = a->png && !number;
  return a->obj || a->ply || picture ? export_one(replay, a, &options, picture) : EXIT_DONE;
}

int export_main(int argc, char** argv) {
  ExportArgs a = {.time = NAN, .frame = NAN, .zoom = 1, .every = 1};
  const Arg table[] = {
      {"--vtu", "FOLDER", ARG_TEXT, &a.vtu,
       "VTU files of every frame and the PVD collection for ParaView: displacement, velocity,\nstress, "
       "strain, contact forces and tractions"},
      {"--csv", "FILE", ARG_TEXT, &a.csv, "a table of --signals, one line per frame"},
      {"--signals", "LIST", ARG_TEXT, &a.signals, "its columns, as above"},
      {"--points", "FILE", ARG_TEXT, &a.points,
       "a table of all contact points, one line per point and frame"},
      {"--obj", "FILE", ARG_TEXT, &a.obj, "the deformed surfaces and the rigid shapes of a frame"},
      {"--ply", "FILE", ARG_TEXT, &a.ply, "the same with colours"},
      {"--png", "FILE", ARG_TEXT, &a.png, "a picture of a frame; with %d in FILE one of every frame"},
      {"--gif", "FILE", ARG_TEXT, &a.gif,
       "an animation of every frame in real time; --every N makes it smaller"},
      {"--time", "T", ARG_NUMBER, &a.time, "the frame nearest to T seconds"},
      {"--frame", "N", ARG_NUMBER, &a.frame, "frame N, counted from 0"},
      {"--every", "N", ARG_COUNT, &a.every, "takes every N-th frame only"},
      {"--list", NULL, ARG_FLAG, &a.list, "lists the frames with their times"},
      {"--colour", "FIELD", ARG_TEXT, &a.colour,
       "of a picture: body (default), displacement, speed, strain, von_mises, pressure"},
      {"--range", "LOW,HIGH", ARG_TEXT, &a.range,
       "of the colours, in SI units; default: from the least value to the largest"},
      {"--size", "WxH", ARG_TEXT, &a.size, "pixels, default 1280x800"},
      {"--view", "AZ,EL", ARG_TEXT, &a.view,
       "where the camera stands: degrees about z and above the horizon; default -60,18"},
      {"--zoom", "Z", ARG_NUMBER, &a.zoom, "above 1: nearer"},
      {"--contacts", NULL, ARG_FLAG, &a.contacts, "arrows for the contact forces on deformable bodies"},
      {"--clock", NULL, ARG_FLAG, &a.clock, "writes the time into the picture"},
      {"--no-edges", NULL, ARG_FLAG, &a.no_edges, "leaves out the edges of the mesh"},
      {"--no-legend", NULL, ARG_FLAG, &a.no_legend, "leaves out the scale of the colours"},
      {"--threads", "N", ARG_COUNT, &a.threads,
       "number of threads for pictures, which do not depend on it; default: one per core"},
  };
  char summary[8192];
  const char* signals = pl_signals_help();
  snprintf(summary, sizeof summary, "%s%.*s", summary_head, (int)strlen(signals) - 1, signals);
  const Command command = {"export", "RECORDING [OPTIONS]",        summary, examples,
                           table,    sizeof table / sizeof *table, 1,       1};
  int status = args_read(&command, argc, argv, &a.file);
  if (status >= 0) return status;
  if ((a.csv != NULL) != (a.signals != NULL)) {
    complain("export: --csv FILE and --signals LIST go together");
    return EXIT_BAD_INPUT;
  }
  plError error;
  plReplay* replay;
  if (pl_replay_open(a.file, &replay, &error)) return complain_error(&error);
  status = work(replay, &a);
  pl_replay_close(replay);
  return status;
}
