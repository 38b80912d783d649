// mjcf_site.c: sites of an MJCF file: their bodies and poses.
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/spec.h"

// Called for each site of a file; *stop ends the traversal.
typedef plStatus Visit(plMjcf* m, const plMjcfSite* site, void* user, bool* stop);

// The sites in a body (or the world), in the frames in it and in the bodies below.
static plStatus walk(plMjcf* m, const plXml* node, const char* cls, int body, plPose at, int* counter,
                     Visit* visit, void* user, bool* stop) {
  plStatus status = PL_OK;
  for (const plXml* c = node->child; c && !status && !*stop; c = c->next) {
    const char *own = pl_xml_attr(c, "name"), *child_class = pl_xml_attr(c, "childclass");
    plPose pose;
    if (!strcmp(c->name, "site")) {
      status = pl_mjcf_pose(m, c, "site", cls, &pose);
      plMjcfSite site = {body, pose_mul(at, pose), c, cls};
      if (!status) status = visit(m, &site, user, stop);
    } else if (!strcmp(c->name, "frame")) {
      status = pl_mjcf_pose(m, c, NULL, NULL, &pose);
      if (!status)
        status =
            walk(m, c, child_class ? child_class : cls, body, pose_mul(at, pose), counter, visit, user, stop);
    } else if (!strcmp(c->name, "body")) {
      // bodies without a name are named by their number, as when they are created
      int number = ++*counter;
      const char* full = own && own[0] ? own : pl_robot_printf(m->robot, "body%d", number);
      status = full ? walk(m, c, child_class ? child_class : cls, pl_mjcf_body(m, full), pose_identity(),
                           counter, visit, user, stop)
                    : pl_fail_out_of_memory(m->robot->error, 256);
    }
  }
  return status;
}

static plStatus walk_all(plMjcf* m, Visit* visit, void* user, bool* stop) {
  int counter = 0, parent;
  plStatus status = pl_robot_parent(m->robot, &parent);
  for (const plXml* world = pl_xml_child(m->root, "worldbody"); world && !status && !*stop;
       world = pl_xml_next(world))
    status = walk(m, world, NULL, parent, m->robot->def->pose, &counter, visit, user, stop);
  return status;
}

static plStatus add(plMjcf* m, const plMjcfSite* site, void* user, bool* stop) {
  (void)user, (void)stop;
  const char* name = pl_xml_attr(site->node, "name");
  if (!name || !name[0]) return PL_OK;
  // read; its appearance is ignored
  static const char* const drawn[] = {"type", "size", "fromto", "rgba", "material", "group", "user"};
  ((plXml*)site->node)->used = true;
  for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) pl_xml_attr(site->node, drawn[i]);
  plSiteDef def = pl_default_site_def();
  def.name = pl_robot_full_name(m->robot, name), def.body = site->body, def.pose = site->pose;
  if (!def.name) return pl_fail_out_of_memory(m->robot->error, 256);
  return pl_robot_place(m->robot, site->node, pl_spec_add_site(m->robot->spec, &def, NULL, m->robot->error));
}

plStatus pl_mjcf_sites(plMjcf* m) {
  bool stop = false;
  return walk_all(m, add, NULL, &stop);
}

typedef struct Search {
  const char* name;
  plMjcfSite* site;
} Search;

static plStatus compare(plMjcf* m, const plMjcfSite* site, void* user, bool* stop) {
  (void)m;
  const Search* search = user;
  const char* own = pl_xml_attr(site->node, "name");
  if (own && !strcmp(own, search->name)) *search->site = *site, *stop = true;
  return PL_OK;
}

plStatus pl_mjcf_site(plMjcf* m, const plXml* node, const char* attr, plMjcfSite* site) {
  Search search = {pl_xml_attr(node, attr), site};
  bool found = false;
  plStatus status = search.name ? walk_all(m, compare, &search, &found) : PL_OK;
  if (status || found) return status;
  return pl_xml_fail(node, m->robot->error, "<%s> names the site '%.100s', which does not exist", node->name,
                     search.name ? search.name : "");
}

plStatus pl_mjcf_find_site(plMjcf* m, const plXml* node, const char* attr, int* site) {
  const plSpec* spec = m->robot->spec;
  const char *name = pl_xml_attr(node, attr), *full = name ? pl_robot_full_name(m->robot, name) : NULL;
  for (int i = spec->nsite - 1; i >= 0 && full; i--)
    if (!strcmp(spec->site[i].name, full)) return *site = i, PL_OK;
  return pl_xml_fail(node, m->robot->error, "<%s> names the site '%.100s', which does not exist", node->name,
                     name ? name : "");
}
