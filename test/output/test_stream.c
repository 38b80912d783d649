// test_stream.c: frames of the viewer: every number is compared with the model and data it came from.
#include "pliant/stream.h"

#include "check.h"
#include "output/field.h"
#include "pliant/dynamics.h"
#include "sample.h"
#include "model/side.h"

// Reads along a message.
typedef struct Reader {
  const unsigned char* at;
} Reader;

static uint32_t next_int(Reader* r) {
  uint32_t x;
  memcpy(&x, r->at, 4), r->at += 4;
  return x;
}
static double next_float(Reader* r) {
  float x;
  memcpy(&x, r->at, 4), r->at += 4;
  return (double)x;
}
static bool near_float(double a, double b) { return fabs(a - b) <= 1e-6 * (1 + fabs(b)); }

static void the_scene_names_everything(void) {
  plError error;
  const plModel* model = sample_model(1e5);
  plStream* stream;
  const void* bytes;
  size_t size;
  CHECK_INT(pl_stream_create(model, &stream, &error), PL_OK);
  CHECK_INT(pl_stream_scene(stream, "a \"name\"\n<b>", &bytes, &size, &error), PL_OK);
  Reader r = {bytes};
  CHECK(!memcmp(r.at, "PLSC", 4));
  r.at += 4;
  size_t json = next_int(&r);
  CHECK(json % 4 == 0 && 8 + json <= size);
  char* text = calloc(json + 1, 1);
  memcpy(text, r.at, json);
  CHECK(strstr(text, "\"name\":\"a \\u0022name\\u0022\\u000a\\u003cb>\""));
  for (int b = 0; b < model->ndeform; b++) CHECK(strstr(text, model->deform_name[b]));
  for (int g = 0; g < model->nshape; g++) CHECK(strstr(text, model->shape_name[g]));
  for (int i = 0; i < model->nbody; i++) CHECK(strstr(text, model->body_name[i]));
  CHECK(!strstr(text, "inf") && !strstr(text, "nan"));
  // the arrays behind the text: triangles and vertices of bodies, then the meshes of shapes, and nothing else
  size_t words = 0;
  for (int b = 0; b < model->ndeform; b++)
    words += 3 * (size_t)(model->deform_tri0[b + 1] - model->deform_tri0[b]);
  for (int g = 0; g < model->nshape; g++)
    if (model->shape_mesh[g]) words += 3 * (size_t)(model->shape_mesh[g]->nvert + model->shape_mesh[g]->ntri);
  int nsurf = 0;
  CHECK_INT(sscanf(strstr(text, "\"nsurf\":"), "\"nsurf\":%d", &nsurf), 1);
  CHECK_INT(size, 8 + json + 4 * (words + (size_t)nsurf));
  free(text);
  pl_stream_destroy(stream);
  pl_model_destroy(model);
}

static void a_frame_holds_the_moment(void) {
  plError error;
  const plModel* model = sample_model(1e5);
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < 3; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  plStream* stream;
  int ncontact;
  plContact* contact = sample_contacts(&ncontact);
  void* bytes;
  size_t size;
  unsigned fields = 1u << PL_COLOUR_SPEED | 1u << PL_COLOUR_VON_MISES;
  CHECK_INT(pl_stream_create(model, &stream, &error), PL_OK);
  plMoment moment = {data, contact, ncontact, &data->report, fields};
  CHECK_INT(pl_stream_frame(stream, &moment, 16, &bytes, &size, &error), PL_OK);
  Reader r = {(unsigned char*)bytes + 16};
  CHECK(!memcmp(r.at, "PLFR", 4));
  r.at += 4;
  CHECK_INT(next_int(&r), ncontact);
  double time;
  memcpy(&time, r.at, 8), r.at += 8;
  CHECK(time == data->time);
  CHECK_INT(next_int(&r), fields);
  int nsurf = (int)next_int(&r);
  CHECK_INT(next_int(&r), model->nbody);
  CHECK_INT(next_int(&r), model->nu);
  CHECK_INT(next_int(&r), model->nact);
  CHECK_INT(next_int(&r), data->report.step);
  CHECK_INT(next_int(&r), data->report.status);
  CHECK_INT(next_int(&r), data->report.constraints);
  CHECK_INT(next_int(&r), data->report.iterations);
  r.at += 6 * 4;
  double kinetic = next_float(&r), expected = 0;
  plRigidTotals totals;
  pl_rigid_totals(data, &totals);
  for (int b = 0; b < model->ndeform; b++) {
    plBodyState state;
    pl_deformable_state(data, b, &state);
    expected += state.kinetic_energy;
  }
  CHECK(near_float(kinetic, expected + totals.kinetic_energy));
  r.at += (2 + PL_STAGE_COUNT) * 4;
  for (int i = 0; i < model->nbody; i++) {
    plRigidState state;
    pl_rigid_body_state(data, i, &state);
    CHECK(near_float(next_float(&r), state.pose.p.x));
    r.at += 6 * 4;
  }
  // every surface vertex is a vertex, and the fields belong to it
  const unsigned char* surf = r.at;
  r.at += 12 * (size_t)nsurf;
  double* speed = calloc((size_t)model->nvert, sizeof *speed);
  int found = 0;
  pl_field_colour(data, 0, PL_COLOUR_SPEED, speed, &error);
  for (int i = 0; i < nsurf; i++) {
    Reader p = {surf + 12 * (size_t)i};
    double x = next_float(&p), y = next_float(&p), z = next_float(&p), s = next_float(&r);
    for (int v = 0; v < model->deform_vert0[1]; v++) {
      const double* q = data->q + model->deform_q0[0] + 3 * v;
      if (near_float(x, q[0]) && near_float(y, q[1]) && near_float(z, q[2]) && near_float(s, speed[v])) {
        found++;
        break;
      }
    }
  }
  CHECK(found >= 4 && (model->ndeform > 1 || found == nsurf));
  r.at += 4 * (size_t)nsurf;
  for (int i = 0; i < ncontact; i++) {
    CHECK(near_float(next_float(&r), contact[i].position.x));
    r.at += 5 * 4;
    CHECK(near_float(next_float(&r), contact[i].force.x));
    r.at += 7 * 4;
    CHECK_INT(next_int(&r), pl_side_number(model, contact[i].a));
    CHECK_INT(next_int(&r), pl_side_number(model, contact[i].b) * 2 + contact[i].stick);
  }
  CHECK_INT(size, (size_t)(r.at - (unsigned char*)bytes) + 4 * (size_t)(model->nu + model->nact));
  free(speed);
  pl_stream_destroy(stream);
  pl_data_destroy(data);
  pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_scene_names_everything);
  RUN(a_frame_holds_the_moment);
  return CHECK_END;
}
