// scene_file.c: the files of a scene: finding them by name, including other scenes.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "input/scene.h"
#include "input/text.h"

enum { MAX_INCLUDE_DEPTH = 16, MAX_INCLUDED_FILES = 100 };

// ---- finding

// A plain file; *other is what else the first such path leads to.
static bool is_file(const char* path, const char** other) {
  const char* what = pl_file_what(path);
  if (what && !strcmp(what, "plain file")) return true;
  if (what && !*other) *other = what;
  return false;
}

// FOLDER/NAME in the tree's memory; a folder "" is the working folder.
static const char* join_path(plScene* scene, const char* folder, const char* name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char* path = PL_ARENA_NEW(&scene->tree.arena, char, size);
  if (path)
    snprintf(path, size, "%s%s%s", folder, folder[0] && folder[strlen(folder) - 1] != '/' ? "/" : "", name);
  return path;
}

static plStatus fail_kind(plScene* scene, const plYaml* node, const char* what, const char* other) {
  return pl_scene_fail(scene, node, "the %s file '%.200s' is a %s; it is read from a plain file", what,
                       node->text, other);
}

plStatus pl_scene_find_file(plScene* scene, const plYaml* node, const char* what, const char** path) {
  const char* other = NULL;
  if (node->text[0] == '/') {
    *path = node->text;
    if (is_file(*path, &other)) return PL_OK;
    if (other) return fail_kind(scene, node, what, other);
    return pl_scene_fail(scene, node, "the %s file '%.300s' does not exist", what, *path);
  }
  char looked[400];
  const char* beside = node->source->folder[0] ? node->source->folder : ".";
  size_t used = (size_t)snprintf(looked, sizeof looked, "%.120s", beside);
  int nsearch = scene->load ? scene->load->nsearch : 0;
  for (int i = -1; i < nsearch; i++) {
    const char* folder = i < 0 ? node->source->folder : scene->load->search[i];
    *path = join_path(scene, folder, node->text);
    if (!*path) return pl_fail_out_of_memory(scene->error, strlen(folder) + strlen(node->text));
    if (is_file(*path, &other)) return PL_OK;
    if (i >= 0 && strcmp(folder, beside) && used < sizeof looked)
      used += (size_t)snprintf(looked + used, sizeof looked - used, ", %.120s", folder);
  }
  if (other) return fail_kind(scene, node, what, other);
  return pl_scene_fail(scene, node, "the %s file '%.200s' does not exist; looked in %s", what, node->text,
                       looked);
}

// ---- including

// The files from the scene down to the one that is being read.
typedef struct Chain {
  const struct Chain* parent;
  const char* path;
  dev_t device;
  ino_t inode;
  int depth;
} Chain;

static plStatus fail_cyclic(plScene* scene, const plYaml* node, const Chain* chain, const char* path) {
  char text[512] = "";
  const char* names[MAX_INCLUDE_DEPTH + 2];
  int n = 0;
  for (const Chain* c = chain; c && n <= MAX_INCLUDE_DEPTH; c = c->parent) names[n++] = c->path;
  size_t used = 0;
  while (n-- > 0 && used < sizeof text)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s -> ", names[n]);
  return pl_scene_fail(scene, node, "cyclic include: %s%s", text, path);
}

static Chain make_link(const Chain* parent, const char* path) {
  Chain link = {.parent = parent, .path = path, .depth = parent ? parent->depth + 1 : 0};
  struct stat info;
  if (path && !stat(path, &info)) link.device = info.st_dev, link.inode = info.st_ino;
  return link;
}

// Merges the entries of the included root into those of root: maps are joined, lists are put before root's
// own, scalars of root take precedence.
static plStatus merge(plScene* scene, plYaml* root, plYaml* included) {
  for (plYaml *child = included->first, *next; child; child = next) {
    next = child->next;
    if (!strcmp(child->key, "pliant") || !strcmp(child->key, "include")) continue;
    plYaml* own = pl_yaml_get(root, child->key);
    if (!own) {
      pl_yaml_append(root, child);
    } else if (own->kind != child->kind) {
      return pl_scene_fail(
          scene, own,
          "'%.64s' is a map, a list or a value here, but something else in the included %.300s:%d", own->key,
          child->source->name, child->line);
    } else if (own->kind == PL_YAML_MAP) {
      plStatus status = merge(scene, own, child);
      if (status) return status;
    } else if (own->kind == PL_YAML_LIST && child->nchild) {
      child->last->next = own->first;
      own->first = child->first;
      if (!own->last) own->last = child->last;
      own->nchild += child->nchild;
    }
  }
  return PL_OK;
}

static const char* folder_of(plScene* scene, const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? pl_yaml_text(&scene->tree, path, slash == path ? 1 : (size_t)(slash - path)) : "";
}

static plStatus include_all(plScene* scene, plYaml* root, const Chain* chain, int* nfile);

static plStatus include_one(plScene* scene, plYaml* root, const plYaml* node, const Chain* chain,
                            int* nfile) {
  const char *path, *text;
  size_t size;
  plStatus status = pl_scene_find_file(scene, node, "included", &path);
  if (status) return status;
  Chain link = make_link(chain, path);
  for (const Chain* c = chain; c; c = c->parent)
    if (c->inode && c->inode == link.inode && c->device == link.device)
      return fail_cyclic(scene, node, chain, path);
  if (link.depth >= MAX_INCLUDE_DEPTH)
    return pl_scene_fail(scene, node, "scenes include each other more than %d deep", MAX_INCLUDE_DEPTH);
  if (++*nfile > MAX_INCLUDED_FILES)
    return pl_scene_fail(scene, node, "more than %d files are included", MAX_INCLUDED_FILES);

  status =
      pl_text_read(&scene->tree.arena, path, PL_YAML_MAX_BYTES, "scene", ".yaml", &text, &size, scene->error);
  if (status) return status;
  const char* folder = folder_of(scene, path);
  const plYamlSource* source = folder ? pl_yaml_source(&scene->tree, path, folder) : NULL;
  if (!source) return pl_fail_out_of_memory(scene->error, strlen(path));
  plYaml* included;
  status = pl_yaml_parse(&scene->tree, source, text, size, &included, scene->error);
  if (!status) status = pl_scene_check_version(scene, included);
  if (!status) status = include_all(scene, included, &link, nfile);
  return status ? status : merge(scene, root, included);
}

// The last file first, so that each is merged below what exists already: later files take precedence, and
// bodies keep the order of the files.
static plStatus include_all(plScene* scene, plYaml* root, const Chain* chain, int* nfile) {
  const plYaml* include = pl_yaml_get(root, "include");
  if (!include) return PL_OK;
  int n = include->kind == PL_YAML_LIST ? include->nchild : 1;
  if (n > MAX_INCLUDED_FILES)
    return pl_scene_fail(scene, include, "more than %d files are included", MAX_INCLUDED_FILES);
  for (int i = n - 1; i >= 0; i--) {
    const plYaml* node = include->kind == PL_YAML_LIST ? pl_yaml_at(include, i) : include;
    if (node->kind != PL_YAML_SCALAR || pl_yaml_is_null(node) || !node->text[0])
      return pl_scene_fail(scene, node, "'include' of scene must be a file name or a list of file names");
    plStatus status = include_one(scene, root, node, chain, nfile);
    if (status) return status;
  }
  return PL_OK;
}

plStatus pl_scene_include(plScene* scene, plYaml* root, const char* path) {
  Chain link = make_link(NULL, path ? path : root->source->name);
  int nfile = 0;
  return include_all(scene, root, &link, &nfile);
}
