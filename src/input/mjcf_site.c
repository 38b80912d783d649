// mjcf_site.c: sites of an MJCF file: which body carries one, and where.
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"

// Looks for a site in a body (or the world) and the frames in it; below: bodies too.
static plStatus find(plMjcf* m, const plXml* node, const char* cls, const char* name, int body, plPose at,
                     int* counter, plMjcfSite* site, bool* found) {
  plStatus status = PL_OK;
  for (const plXml* c = node->child; c && !status && !*found; c = c->next) {
    const char *own = pl_xml_attr(c, "name"), *child_class = pl_xml_attr(c, "childclass");
    plPose pose;
    if (!strcmp(c->name, "site") && own && !strcmp(own, name)) {
      status = pl_mjcf_pose(m, c, "site", cls, &pose);
      *site = (plMjcfSite){body, pose_mul(at, pose), c, cls};
      *found = true;
    } else if (!strcmp(c->name, "frame")) {
      status = pl_mjcf_pose(m, c, NULL, NULL, &pose);
      if (!status)
        status =
            find(m, c, child_class ? child_class : cls, name, body, pose_mul(at, pose), counter, site, found);
    } else if (!strcmp(c->name, "body")) {
      // bodies without a name are called by their number, as where they are made
      int number = ++*counter;
      const char* full = own && own[0] ? own : pl_robot_printf(m->robot, "body%d", number);
      status = full ? find(m, c, child_class ? child_class : cls, name, pl_mjcf_body(m, full),
                           pose_identity(), counter, site, found)
                    : pl_fail_out_of_memory(m->robot->error, 256);
    }
  }
  return status;
}

plStatus pl_mjcf_site(plMjcf* m, const plXml* node, const char* attr, plMjcfSite* site) {
  const char* name = pl_xml_attr(node, attr);
  bool found = false;
  int counter = 0, parent;
  plStatus status = pl_robot_parent(m->robot, &parent);
  for (const plXml* world = pl_xml_child(m->root, "worldbody"); world && name && !status && !found;
       world = pl_xml_next(world))
    status = find(m, world, NULL, name, parent, m->robot->def->pose, &counter, site, &found);
  if (status || found) return status;
  return pl_xml_fail(node, m->robot->error, "<%s> names the site '%.100s', which does not exist", node->name,
                     name ? name : "");
}
