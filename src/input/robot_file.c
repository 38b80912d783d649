// robot_file.c: finds a file that a robot file names, in the usual notations: package:// and model://, $(find
// ...), paths from the file or from the root of its package, with another case, with backslashes.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "input/robot.h"

// Whether something other than a folder is there. A device is refused when it is read.
static bool is_file(const char* path) {
  const char* what = pl_file_what(path);
  return what && strcmp(what, "folder") != 0;
}

// Whether there is such a file, in any case of its last part if asked for; *path then names it.
static bool is_there(plRobot* robot, const char** path) {
  if (is_file(*path)) return true;
  const char *slash = strrchr(*path, '/'), *name = slash ? slash + 1 : *path;
  if (!robot->any_case || !name[0]) return false;
  const char* folder = slash ? pl_xml_keep(&robot->tree, *path, (size_t)(slash - *path)) : ".";
  DIR* dir = folder ? opendir(folder[0] ? folder : "/") : NULL;
  if (!dir) return false;
  char found[256] = "";
  // of several, the first by name
  for (const struct dirent* e = readdir(dir); e; e = readdir(dir))
    if (!strcasecmp(e->d_name, name) && (!found[0] || strcmp(e->d_name, found) < 0))
      snprintf(found, sizeof found, "%s", e->d_name);
  closedir(dir);
  const char* other =
      found[0] ? pl_robot_printf(robot, "%s%s%s", slash ? folder : "", slash ? "/" : "", found) : NULL;
  if (!other || !is_file(other)) return false;
  pl_robot_note(robot, NULL, "there is no '%.200s'; '%.200s' is used, whose name differs in case", *path,
                found);
  *path = other;
  return true;
}

static const char* join(plRobot* robot, const char* folder, const char* rest) {
  size_t n = strlen(folder);
  return pl_robot_printf(robot, "%s%s%s", folder, n && folder[n - 1] != '/' ? "/" : "", rest);
}

// The folder above, or NULL: "a/b" -> "a", "a" -> "", "" and "/" -> NULL
static const char* folder_above(plRobot* robot, const char* folder) {
  size_t n = strlen(folder);
  while (n && folder[n - 1] == '/') n--;
  if (!n) return NULL;
  while (n && folder[n - 1] != '/') n--;
  return n == 1 ? "/" : pl_xml_keep(&robot->tree, folder, n ? n - 1 : 0);
}

// PACKAGE/REST below a folder, or REST in it if the folder is the package.
static const char* try_package(plRobot* robot, const char* folder, const char* package, size_t length,
                               const char* rest) {
  const char* path = pl_robot_printf(robot, "%s%s%.*s/%s", folder,
                                     folder[0] && strcmp(folder, "/") ? "/" : "", (int)length, package, rest);
  if (path && is_there(robot, &path)) return path;
  size_t n = strlen(folder);
  if (n < length || strncmp(folder + n - length, package, length) ||
      (n > length && folder[n - length - 1] != '/'))
    return NULL;
  path = join(robot, folder, rest);
  return path && is_there(robot, &path) ? path : NULL;
}

// The same path in a folder above the file: the package has another folder name.
static const char* find_in_renamed_package(plRobot* robot, const char* package, size_t length,
                                           const char* rest) {
  const char* folder = robot->folder;
  for (int up = 0; folder && up < 40; up++, folder = folder_above(robot, folder)) {
    const char* path = join(robot, folder, rest);
    if (!path || !is_there(robot, &path)) continue;
    pl_robot_note(robot, NULL, "there is no folder of the package '%.*s'; its files are taken from '%.300s'",
                  length < 100 ? (int)length : 100, package, folder[0] ? folder : ".");
    return path;
  }
  return NULL;
}

static const char* find_in_package(plRobot* robot, const char* name) {
  const char* slash = strchr(name, '/');
  if (!slash) return NULL;
  size_t length = (size_t)(slash - name);
  const char* folder = robot->folder;
  for (int up = 0; folder && up < 40; up++, folder = folder_above(robot, folder)) {
    const char* path = try_package(robot, folder, name, length, slash + 1);
    if (path) return path;
  }
  for (int i = 0; robot->options && i < robot->options->nsearch; i++) {
    const char* path = try_package(robot, robot->options->search[i], name, length, slash + 1);
    if (path) return path;
  }
  return find_in_renamed_package(robot, name, length, slash + 1);
}

// Tries the path in the folders above the file, for paths that start at the root of a package.
static const char* find_above(plRobot* robot, const char* uri) {
  const char* folder = folder_above(robot, robot->folder);
  for (int up = 0; folder && up < 3 && uri[0] != '/' && !strstr(uri, "://"); up++) {
    const char* path = folder[0] ? join(robot, folder, uri) : uri;
    if (path && is_there(robot, &path)) {
      pl_robot_note(robot, NULL, "'%.200s' is taken from a folder above the file, '%.300s'", uri,
                    folder[0] ? folder : ".");
      return path;
    }
    folder = folder_above(robot, folder);
  }
  return NULL;
}

static const char* find_as_written(plRobot* robot, const char* uri);

// An absolute path that does not exist is tried relative to the file's folder.
static const char* find_below(plRobot* robot, const char* rest) {
  const char* path = rest[0] ? find_as_written(robot, rest) : NULL;
  if (path)
    pl_robot_note(robot, NULL, "there is no '/%.200s'; '%.300s' is used, below the file's folder", rest,
                  path);
  return path;
}

// package:// and the like, or a path beside the file or in the search folders
static const char* find_as_written(plRobot* robot, const char* uri) {
  size_t scheme = !strncmp(uri, "package://", 10) ? 10 : !strncmp(uri, "model://", 8) ? 8 : 0;
  if (scheme && strchr(uri + scheme, '/')) return find_in_package(robot, uri + scheme);
  uri += scheme;  // a file without a package is beside this one
  if (!strncmp(uri, "file://", 7)) uri += 7;
  if (strstr(uri, "://")) return NULL;
  if (uri[0] == '/') return is_file(uri) ? uri : NULL;
  const char* path = robot->folder[0] ? join(robot, robot->folder, uri) : uri;
  if (path && is_there(robot, &path)) return path;
  for (int i = 0; robot->options && i < robot->options->nsearch; i++) {
    path = join(robot, robot->options->search[i], uri);
    if (path && is_there(robot, &path)) return path;
  }
  return NULL;
}

static int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// Normalises the name: no blanks around it, / instead of \\, $(find NAME)/... as package://NAME/..., %20 as a
// blank.
static const char* meant(plRobot* robot, const char* uri) {
  static const char find[] = "$(find ";
  char text[1000];
  size_t n = 0;
  uri += strspn(uri, " \t\r\n");
  if (!strncmp(uri, "file://$(", 9)) uri += 7;
  const char* rest = uri;
  if (!strncmp(uri, find, sizeof find - 1)) {
    const char *name = uri + sizeof find - 1, *end = strchr(name, ')');
    name += strspn(name, " ");
    size_t length = end ? strcspn(name, " )") : 0;
    if (end && length) {
      n = (size_t)snprintf(text, sizeof text, "package://%.*s", (int)(length < 200 ? length : 200), name);
      rest = end + 1;
    }
  }
  for (; *rest && n + 1 < sizeof text; rest++) {
    bool coded = rest[0] == '%' && hex(rest[1]) >= 0 && hex(rest[2]) >= 0;
    text[n++] = coded ? (char)(16 * hex(rest[1]) + hex(rest[2])) : *rest == '\\' ? '/' : *rest;
    if (coded) rest += 2;
  }
  while (n && strchr(" \t\r\n", text[n - 1])) n--;
  return pl_xml_keep(&robot->tree, text, n);
}

const char* pl_robot_find_file(plRobot* robot, const char* uri) {
  if (!uri || !uri[0] || strlen(uri) > 900) return NULL;
  const char *path = find_as_written(robot, uri), *other = path ? NULL : meant(robot, uri);
  if (path || !other || !other[0]) return path;
  if (strcmp(other, uri)) path = find_as_written(robot, other);
  for (int k = 0; k < 2 && !path; k++) {
    robot->any_case = k;
    if (k) path = find_as_written(robot, other);
    if (!path) path = find_above(robot, other);
    if (!path && other[0] == '/') path = find_below(robot, other + strspn(other, "/"));
  }
  robot->any_case = false;
  return path;
}
