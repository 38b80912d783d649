// scene_site.c: the section `sites` -> plSiteDef.
#include "input/scene.h"
#include "pliant/rigid.h"

typedef struct Site {
  const char *name, *body;
  plScenePose pose;
} Site;

// clang-format off
static const plKey keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = offsetof(Site, name), .required = true, .meaning = "unique among sites"},
    {.name = "body", .type = PL_KEY_TEXT, .offset = offsetof(Site, body), .meaning = "the rigid body that carries it, or `world`"},
    {.name = "pose", .type = PL_KEY_MAP, .offset = offsetof(Site, pose), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "in the body's frame"},
};
// clang-format on

static void defaults(void* target) {
  Site* site = target;
  *site = (Site){.body = "world"};
  pl_section_pose.defaults(&site->pose);
}

const plSection pl_section_site = {"site", keys, sizeof keys / sizeof *keys, sizeof(Site), defaults, NULL};

plStatus pl_scene_add_site(plScene* scene, const plYaml* map) {
  Site site;
  plSiteDef def = pl_default_site_def();
  plStatus status = pl_section_read(scene, &pl_section_site, map, &site);
  if (!status) status = pl_scene_find_body(scene, map, "body", site.body, &def.body);
  if (status) return status;
  def.name = site.name, def.pose = site.pose.pose;
  return pl_scene_locate(scene, map, pl_spec_add_site(scene->spec, &def, NULL, scene->error));
}
