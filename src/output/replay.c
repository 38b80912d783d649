// replay.c: reads a recording: a model, and data that shows one frame at a time.
//
// Opening reads the model and the chunk headers; a frame is read, and its checksum tested, when it is asked
// for. The last frame is tested at once, because an interrupted run may have left it incomplete. Sizes are
// checked against the length of the file before memory is allocated.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "model/state.h"
#include "output/recording.h"

// Larger models than this are refused: 16 GiB.
static const uint64_t CHUNK_MAX = UINT64_C(1) << 34;

typedef struct Frame {
  uint64_t offset, size;  // of the payload
  double time;
  uint32_t crc;
} Frame;

struct plReplay {
  char* path;
  int fd;
  uint64_t file_size;
  plArena arena;
  unsigned char* model_bytes;
  size_t model_size;
  plModel model;
  plReplayData shown;
  Frame* frame;
  int nframe, frame_cap;
  unsigned char* payload;  // of the frame shown
  size_t payload_size;
  plReplayInfo info;
};

static bool read_at(const plReplay* r, uint64_t offset, void* bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t n = pread(r->fd, (char*)bytes + done, size - done, (off_t)(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

// The chunk whose header is at offset; false if it is incomplete.
static bool chunk_at(const plReplay* r, uint64_t offset, plChunk* chunk) {
  unsigned char header[PL_CHUNK_HEADER];
  if (r->file_size < offset || r->file_size - offset < PL_CHUNK_HEADER) return false;
  if (!read_at(r, offset, header, sizeof header) || !pl_chunk_read(header, chunk)) return false;
  return chunk->size <= r->file_size - offset - PL_CHUNK_HEADER && chunk->size <= CHUNK_MAX;
}

static plStatus load_payload(const plReplay* r, uint64_t offset, uint64_t size, uint32_t crc,
                             unsigned char** payload, plError* error) {
  *payload = pl_alloc((size_t)size, 1);
  if (!*payload) return pl_fail_out_of_memory(error, (size_t)size);
  if (read_at(r, offset, *payload, (size_t)size) && pl_crc(*payload, (size_t)size) == crc) return PL_OK;
  pl_free(*payload);
  *payload = NULL;
  return pl_fail_at(error, PL_ERROR_INPUT, r->path, 0, 0,
                    "the recording is damaged: %llu bytes at byte %llu do not match their check sum",
                    (unsigned long long)size, (unsigned long long)offset);
}

// ---- opening

static plStatus open_file(plReplay* r, plError* error) {
  struct stat st;
  r->fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (r->fd < 0 || fstat(r->fd, &st))
    return pl_fail_at(error, PL_ERROR_IO, r->path, 0, 0, "the recording cannot be opened: %s",
                      strerror(errno));
  if (!S_ISREG(st.st_mode))
    return pl_fail_at(error, PL_ERROR_IO, r->path, 0, 0, "the recording must be a plain file");
  r->file_size = (uint64_t)st.st_size;
  unsigned char header[PL_FILE_HEADER];
  uint32_t version, order;
  if (r->file_size < sizeof header || !read_at(r, 0, header, sizeof header) ||
      memcmp(header, pl_recording_magic, 8))
    return pl_fail_at(error, PL_ERROR_INPUT, r->path, 0, 0,
                      "this is not a recording of Pliant; `pliant run SCENE --record FILE` makes one");
  memcpy(&version, header + 8, 4);
  memcpy(&order, header + 12, 4);
  if (order != 0x01020304)
    return pl_fail_at(error, PL_ERROR_INPUT, r->path, 0, 0,
                      "the recording is damaged, or was made on a machine with another byte order");
  if (version != PL_RECORDING_VERSION)
    return pl_fail_at(error, PL_ERROR_INPUT, r->path, 0, 0,
                      "the recording has version %u, this program reads version %d", version,
                      PL_RECORDING_VERSION);
  return PL_OK;
}

static plStatus make_data(plReplay* r, plError* error) {
  const plModel* m = &r->model;
  plData* d = &r->shown.data;
  d->model = m;
  d->par = m->par;
  d->q = PL_NEW(double, m->nq);
  d->v = PL_NEW(double, m->nv);
  d->u = PL_NEW(double, m->nu);
  d->f_user = PL_NEW(double, m->nv);
  d->f_body = PL_NEW(plWrench, m->nbody);
  d->v_star = PL_NEW(double, m->nv);
  d->tet_pi = PL_NEW(double, m->ntet);
  d->actuator_force = PL_NEW(double, m->nact);
  d->reading = PL_NEW(unsigned char, m->reading_bytes);
  if (!d->reading || !d->actuator_force || !d->q || !d->v || !d->u || !d->f_user || !d->f_body ||
      !d->v_star || !d->tet_pi)
    return pl_fail_out_of_memory(error, 8 * ((size_t)m->nq + 3 * (size_t)m->nv + 9 * (size_t)m->ntet));
  memcpy(d->q, m->start_q, (size_t)m->nq * sizeof(double));
  memcpy(d->v, m->start_v, (size_t)m->nv * sizeof(double));
  // The poses of shapes on moving bodies are known from the first frame on.
  plMoving* moving = &r->shown.moving;
  moving->shape = PL_NEW(plPose, m->nshape);
  moving->body = PL_NEW(plRigidState, m->nbody);
  moving->wrench = PL_NEW(plWrench, m->njoint);
  if (!moving->shape || !moving->body || !moving->wrench)
    return pl_fail_out_of_memory(error, (size_t)m->nbody * sizeof(plRigidState));
  if (m->nshape) memcpy(moving->shape, m->shape_pose, (size_t)m->nshape * sizeof(plPose));
  pl_data_refresh(d);
  return PL_OK;
}

// Lists the frames; *end is the end of the last complete chunk.
static plStatus list_frames(plReplay* r, uint64_t at, uint64_t* end, plError* error) {
  plChunk chunk;
  while (!r->info.closed && chunk_at(r, at, &chunk)) {
    if (!memcmp(chunk.tag, "FRAM", 4)) {
      Frame frame = {at + PL_CHUNK_HEADER, chunk.size, chunk.time, chunk.payload_crc};
      if (!PL_PUSH(r->frame, r->nframe, r->frame_cap, frame))
        return pl_fail_out_of_memory(error, 2 * (size_t)r->nframe * sizeof(Frame));
    }
    r->info.closed = !memcmp(chunk.tag, "DONE", 4);
    at += PL_CHUNK_HEADER + chunk.size;
  }
  *end = at;
  return PL_OK;
}

// Describes the end of the file in a sentence.
static void describe_end(plReplay* r, uint64_t end, bool last_damaged) {
  plReplayInfo* info = &r->info;
  info->nframe = r->nframe;
  info->lost_bytes = (long long)(r->file_size - end);
  double last = r->nframe ? r->frame[r->nframe - 1].time : 0;
  char upto[64] = "";
  if (r->nframe) snprintf(upto, sizeof upto, ", up to t = %.6g s", last);
  if (info->closed && !info->lost_bytes && !last_damaged) return;
  if (info->closed && !last_damaged)
    snprintf(info->note, sizeof info->note, "%lld bytes after the end of the recording were ignored",
             info->lost_bytes);
  else if (info->lost_bytes || last_damaged)
    snprintf(info->note, sizeof info->note,
             "the recording is cut off: the run was interrupted, and the last frame (%lld bytes) is lost; %d "
             "frames are whole%s",
             info->lost_bytes, r->nframe, upto);
  else
    snprintf(info->note, sizeof info->note,
             "the recording was not closed: the run was interrupted; all %d frames are whole%s", r->nframe,
             upto);
}

static plStatus load(plReplay* r, plError* error) {
  plStatus status = open_file(r, error);
  if (status) return status;
  plChunk chunk;
  if (!chunk_at(r, PL_FILE_HEADER, &chunk) || memcmp(chunk.tag, "MODL", 4))
    return pl_fail_at(
        error, PL_ERROR_INPUT, r->path, 0, 0,
        "the recording ends inside its model, before the first frame: the run was interrupted at once");
  uint64_t at = PL_FILE_HEADER + PL_CHUNK_HEADER;
  if ((status = load_payload(r, at, chunk.size, chunk.payload_crc, &r->model_bytes, error))) return status;
  if ((status = pl_recording_get_model(r->model_bytes, r->model_size = (size_t)chunk.size, r->path, &r->arena,
                                       &r->model, error)))
    return status;
  if ((status = make_data(r, error))) return status;
  uint64_t end = 0;
  if ((status = list_frames(r, at + chunk.size, &end, error))) return status;
  // An incomplete frame can only be the last one.
  bool last_damaged = false;
  if (r->nframe) {
    Frame last = r->frame[r->nframe - 1];
    unsigned char* payload;
    status = load_payload(r, last.offset, last.size, last.crc, &payload, error);
    if (status == PL_ERROR_MEMORY) return status;
    if (status)
      last_damaged = true, r->nframe--, end = last.offset - PL_CHUNK_HEADER, r->info.closed = false;
    else
      pl_free(payload);
  }
  describe_end(r, end, last_damaged);
  return PL_OK;
}

plStatus pl_replay_open(const char* path, plReplay** replay, plError* error) {
  assert(path != NULL && replay != NULL);
  *replay = NULL;
  plReplay* r = PL_NEW(plReplay, 1);
  if (!r) return pl_fail_out_of_memory(error, sizeof *r);
  *r = (plReplay){.fd = -1};
  pl_arena_init(&r->arena);
  r->path = pl_strdup(path);
  plStatus status = r->path ? load(r, error) : pl_fail_out_of_memory(error, strlen(path));
  if (status) return pl_replay_close(r), status;
  *replay = r;
  return PL_OK;
}

void pl_replay_close(plReplay* r) {
  if (!r) return;
  if (r->fd >= 0) close(r->fd);
  plData* d = &r->shown.data;
  pl_free(d->q), pl_free(d->v), pl_free(d->u), pl_free(d->f_user), pl_free(d->f_body), pl_free(d->v_star),
      pl_free(d->tet_pi), pl_free(d->reading);
  pl_free(d->contact), pl_free(d->impulse), pl_free(d->actuator_force);
  pl_free(r->shown.moving.shape), pl_free(r->shown.moving.body), pl_free(r->shown.moving.wrench);
  pl_free(r->frame), pl_free(r->payload), pl_free(r->model_bytes), pl_free(r->path);
  pl_arena_free(&r->arena);
  pl_free(r);
}

// ---- frames

const plReplayInfo* pl_replay_info(const plReplay* r) {
  assert(r != NULL);
  return &r->info;
}
const plModel* pl_replay_model(const plReplay* r) {
  assert(r != NULL);
  return &r->model;
}
const plData* pl_replay_data(const plReplay* r) {
  assert(r != NULL);
  return &r->shown.data;
}
double pl_replay_time(const plReplay* r, int frame) {
  assert(r != NULL);
  return frame >= 0 && frame < r->nframe ? r->frame[frame].time : NAN;
}

int pl_replay_nearest(const plReplay* r, double time) {
  assert(r != NULL);
  int nearest = r->nframe ? 0 : -1;
  for (int i = 1; i < r->nframe; i++)
    if (fabs(r->frame[i].time - time) < fabs(r->frame[nearest].time - time)) nearest = i;
  return nearest;
}

plStatus pl_replay_seek(plReplay* r, int frame, plError* error) {
  assert(r != NULL);
  if (frame < 0 || frame >= r->nframe)
    return pl_fail_at(error, PL_ERROR_INPUT, r->path, 0, 0,
                      "there is no frame %d: the recording has %d frames, counted from 0", frame, r->nframe);
  const Frame* f = &r->frame[frame];
  unsigned char* payload;
  plStatus status = load_payload(r, f->offset, f->size, f->crc, &payload, error);
  if (!status) status = pl_recording_get_frame(payload, (size_t)f->size, r->path, &r->shown, error);
  if (status) return pl_free(payload), status;
  r->shown.data.time = f->time;
  pl_free(r->payload);
  r->payload = payload;
  r->payload_size = (size_t)f->size;
  return PL_OK;
}

// Earlier recordings have the model's hash of that time alone.
static bool is_of(const plReplay* r, const plModel* model) {
  plSection section;
  bool now = pl_section_find(r->model_bytes, r->model_size, "structure", 'l', &section);
  return r->model.hash == (now ? model->hash : model->work->hash3);
}

plStatus pl_replay_restore(const plReplay* r, plData* data, plError* error) {
  assert(r != NULL && data != NULL);
  if (!r->payload)
    return pl_fail_at(error, PL_ERROR_INPUT, r->path, 0, 0,
                      "no frame was loaded yet: call pl_replay_seek first");
  if (!is_of(r, data->model))
    return pl_fail_at(error, PL_ERROR_MISMATCH, r->path, 0, 0,
                      "the recording is of another model: its scene, or the program, has changed since");
  // Attachments made at run time make the state larger than at the start; 64 times leaves room for many.
  size_t size = pl_recording_state_size(r->payload, r->payload_size, 64 * (pl_state_body_size(data) + 65536));
  unsigned char* state = pl_alloc(size, 1);
  if (!state) return pl_fail_out_of_memory(error, size);
  plSection parameters = {0}, options = {0};
  (void)pl_section_find(r->model_bytes, r->model_size, "parameters", 'd', &parameters);
  (void)pl_section_find(r->model_bytes, r->model_size, "options", 'd', &options);
  plStatus status =
      pl_recording_get_state(r->payload, r->payload_size, r->path, &parameters, state, size, error);
  if (!status) status = pl_state_body_set(data, state, size, options.count, error);
  pl_free(state);
  return status;
}

// ---- continuing a run

// *same: whether these parameters are the model's.
static plStatus compare_parameters(const plModel* model, const plSection* parameters, bool* same,
                                   plError* error) {
  size_t size = pl_parameters_bytes(model);
  void* own = pl_alloc(size, 1);
  if (!own) return pl_fail_out_of_memory(error, size);
  pl_parameters_write(model, model->par, own);
  *same = !memcmp(own, parameters->values, size);
  pl_free(own);
  return PL_OK;
}

plStatus pl_recording_find_end(const char* path, const plData* data, uint64_t* nframe, off_t* end,
                               bool* same_parameters, plError* error) {
  plReplay* r = NULL;
  plStatus status = pl_replay_open(path, &r, error);
  if (status) return status;
  plSection parameters;
  const Frame* last = r->nframe ? &r->frame[r->nframe - 1] : NULL;
  if (!is_of(r, data->model))
    status =
        pl_fail_at(error, PL_ERROR_MISMATCH, path, 0, 0,
                   "the recording is of another model, so this run cannot be appended to it; record into "
                   "another file");
  else if (!pl_section_find(r->model_bytes, r->model_size, "parameters", 'd', &parameters) ||
           parameters.count * sizeof(double) != pl_parameters_bytes(data->model))
    status =
        pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                   "the recording is of another version, so this run cannot be appended to it; record into "
                   "another file");
  else if (!last || last->time != data->time)
    status = pl_fail_at(error, PL_ERROR_MISMATCH, path, 0, 0,
                        "the recording ends at t = %g s and the run begins at t = %g s, so the run cannot be "
                        "appended to it; record into another file",
                        last ? last->time : 0, data->time);
  else
    status = compare_parameters(data->model, &parameters, same_parameters, error);
  *nframe = (uint64_t)r->nframe;
  *end = last ? (off_t)(last->offset + last->size) : 0;
  pl_replay_close(r);
  return status;
}
