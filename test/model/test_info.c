// pl_model_info: JSON that a strict reader takes, with a row for every thing of the model and the values that
// the model holds; the text names the same things; a short buffer is never overrun. Over all shipped scenes.
#include <dirent.h>

#include "check.h"
#include "input/json.h"
#include "pliant/pliant.h"

static char* info(const plModel* model, plInfoForm form, size_t* length) {
  *length = pl_model_info(model, form, NULL, 0);
  char* text = malloc(*length + 1);
  CHECK(pl_model_info(model, form, text, *length + 1) == *length);
  CHECK(strlen(text) == *length);
  return text;
}

static const plJson* at(const plJson* list, int i) {
  const plJson* node = list ? list->first : NULL;
  while (node && i-- > 0) node = node->next;
  return node;
}

static double number(const plJson* map, const char* key) {
  const plJson* node = pl_json_get(map, key);
  return node && node->kind == PL_JSON_NUMBER ? node->number : NAN;
}

// A row for each object of a kind, in the model's order, and its name in the text.
static void check_names(const plModel* model, const plJson* root, const char* text, plKind kind,
                        const char* key) {
  const plJson* list = pl_json_get(root, key);
  CHECK(list && list->kind == PL_JSON_LIST);
  CHECK_INT(list ? list->nchild : -1, pl_model_count(model, kind));
  for (int i = 0; list && i < list->nchild; i++) {
    const char* name = pl_model_name(model, kind, i);
    CHECK(pl_json_is(pl_json_get(at(list, i), "name"), name ? name : ""));
    if (name) CHECK(strstr(text, name) != NULL);
  }
}

static void check_values(const plModel* model, const plJson* root) {
  const plOptions* o = &model->par->options;
  const plJson *degrees = pl_json_get(root, "degrees"), *options = pl_json_get(root, "options");
  CHECK(number(degrees, "positions") == model->nq && number(degrees, "velocities") == model->nv);
  CHECK(number(options, "dt") == o->dt && number(options, "tolerance") == o->tolerance);
  CHECK(at(pl_json_get(options, "gravity"), 2)->number == o->gravity.z);
  for (int i = 0; i < model->nbody; i++)
    CHECK(number(at(pl_json_get(root, "bodies"), i), "mass") == model->par->body_mass[i]);
  for (int i = 0; i < model->njoint; i++) {
    const plJson* joint = at(pl_json_get(root, "joints"), i);
    CHECK(number(joint, "q0") == model->joint_q0[i]);
    if (pl_joint_nv(model->joint_kind[i]) != 1) continue;
    double lower = model->par->dof_lower[model->joint_v0[i]];
    CHECK(isfinite(lower) ? number(joint, "lower") == lower
                          : pl_json_get(joint, "lower")->kind == PL_JSON_NULL);
  }
  for (int i = 0; i < model->ndeform; i++) {
    const plJson* deformable = at(pl_json_get(root, "deformables"), i);
    CHECK(number(deformable, "vertices") == model->deform_vert0[i + 1] - model->deform_vert0[i]);
    CHECK(number(deformable, "mass") == model->par->deform_material[i].density * model->deform_volume[i]);
  }
}

static void check_model(const plModel* model) {
  static const char* const key[PL_KIND_COUNT] = {"deformables", "bodies",  "joints",
                                                 "actuators",   "shapes",  "attachments",
                                                 "constraints", "sensors", "sites"};
  size_t nplain, njson;
  char *plain = info(model, PL_INFO_TEXT, &nplain), *json = info(model, PL_INFO_JSON, &njson);
  plError error = {0};
  plJsonTree tree = {0};
  plCursor cursor = pl_cursor("info", json, njson, &error);
  CHECK_INT(pl_json_parse(&cursor, &tree), PL_OK);
  if (tree.nnode) {
    for (int k = 0; k < PL_KIND_COUNT; k++) check_names(model, &tree.node[0], plain, (plKind)k, key[k]);
    check_values(model, &tree.node[0]);
  } else {
    printf("%s\n", error.message);
  }
  // any room: the beginning, terminated, and not a byte behind it
  for (size_t size = 1; size < 400; size += 7) {
    char part[401];
    memset(part, 'x', sizeof part);
    CHECK(pl_model_info(model, PL_INFO_JSON, part, size) == njson);
    CHECK(!strncmp(part, json, strlen(part)) && part[size] == 'x');
    CHECK(strlen(part) == (size - 1 < njson ? size - 1 : njson));
  }
  pl_json_free(&tree), free(plain), free(json);
}

static void every_scene_is_described_as_it_is(void) {
  DIR* folder = opendir(PLIANT_SOURCEDIR "/scenes");
  int n = 0;
  for (struct dirent* entry; folder && (entry = readdir(folder));) {
    char path[1024];
    plError error;
    plSpec* spec = NULL;
    if (!strstr(entry->d_name, ".yaml")) continue;
    snprintf(path, sizeof path, PLIANT_SOURCEDIR "/scenes/%s", entry->d_name);
    CHECK_INT(pl_spec_load(path, NULL, &spec, &error), PL_OK);
    const plModel* model = spec ? pl_model_create(spec, &error) : NULL;
    CHECK(model != NULL);
    if (model) check_model(model), n++;
    pl_model_destroy(model);
    pl_spec_destroy(spec);
  }
  if (folder) closedir(folder);
  CHECK(n > 15);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_scene_is_described_as_it_is);
  return CHECK_END;
}
