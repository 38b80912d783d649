// scene_options.c: the section `options` of a scene file -> plOptions. Its keys are those of model/options.c.
#include "input/scene.h"

static void defaults(void* target) {
  *(plSceneOptions*)target = (plSceneOptions){.options = pl_default_options()};
}

// scheme gives both thetas; together they would contradict each other.
static plStatus finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  plSceneOptions* o = target;
  if (!pl_yaml_get(map, "scheme")) return PL_OK;
  for (int i = 0; i < 2; i++) {
    const char* theta = i ? "theta_vq" : "theta";
    if (pl_yaml_get(map, theta))
      return pl_scene_fail_key(scene, map, theta, "give either 'scheme' or 'theta' and 'theta_vq', not both");
  }
  plStatus status = pl_scheme_by_name(pl_scheme_words[o->scheme].name, &o->options.theta,
                                      &o->options.theta_vq, scene->error);
  return pl_scene_locate(scene, map, status);
}

const plSection pl_section_options = {"options", pl_option_key, PL_OPTION_KEYS, sizeof(plSceneOptions),
                                      defaults,  finish};
