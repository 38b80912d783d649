// test_robot_hostile.c: thousands of damaged robot files: each is an error with a sentence or a spec, none
// crashes, hangs or leaks.
//
// `test_input_robot_hostile COUNT` runs more.
#include <pthread.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "model/spec.h"
#include "robot_seeds.h"
#include "pliant/pliant.h"

enum { MAX_BYTES = 1 << 16 };
static long count = 6000;

static const char* const odd[] = {"nan",
                                  "inf",
                                  "-1",
                                  "0",
                                  "1e308",
                                  "1e-308",
                                  "-0",
                                  "99999999999999999999",
                                  "1e9",
                                  "<",
                                  ">",
                                  "'",
                                  "\"",
                                  "&",
                                  "&amp;",
                                  "&#0;",
                                  "&#x41;",
                                  "<!--",
                                  "-->",
                                  "<![CDATA[",
                                  "]]>",
                                  "<?xml version='1.0'?>",
                                  "<!DOCTYPE a [<!ENTITY b 'c'>]>",
                                  "\xff",
                                  "\xef\xbb\xbf",
                                  "world",
                                  "a",
                                  "__model__",
                                  "n::x",
                                  "<link name='z'/>",
                                  "<model name='q'>",
                                  "</model>",
                                  "<body>",
                                  "</body>",
                                  "<include file='a.xml'/>",
                                  "<include><uri>a.sdf</uri></include>",
                                  "<attach model='q'/>",
                                  "<frame euler='1 2 3'>",
                                  "</frame>",
                                  "0 0 0",
                                  "1 1 1 1",
                                  "free",
                                  "ball",
                                  "planar",
                                  "floating",
                                  "fixed",
                                  "mesh",
                                  ""};

// Swaps one quoted value for another one of the same text: the file stays well-formed.
static size_t swap_value(plRandom* r, char* text, size_t size) {
  static char other[300];
  size_t begin[2], end[2];
  for (int k = 0; k < 2; k++) {
    size_t at = (size_t)pl_random_int(r, (int)size);
    while (at < size && !(text[at] == '=' && text[at + 1] == '\'')) at++;
    begin[k] = at + 2, end[k] = at + 2;
    while (end[k] < size && text[end[k]] != '\'') end[k]++;
    if (end[k] >= size || end[k] - begin[k] > 200) return size;
  }
  const char* word = odd[pl_random_int(r, (int)(sizeof odd / sizeof *odd))];
  size_t n = end[1] - begin[1];
  memcpy(other, text + begin[1], n);
  if (pl_random_int(r, 2) && !strpbrk(word, "<&'")) n = strlen(word), memcpy(other, word, n);
  if (size + n >= MAX_BYTES) return size;
  memmove(text + begin[0] + n, text + end[0], size - end[0]);
  memcpy(text + begin[0], other, n);
  return size - (end[0] - begin[0]) + n;
}

static size_t damage(plRandom* r, char* text, size_t size) {
  int changes = 1 + pl_random_int(r, 4);
  if (pl_random_int(r, 3)) {
    for (int k = 0; k < changes; k++) size = swap_value(r, text, size);
    return size;
  }
  for (int k = 0; k < changes && size > 2; k++) {
    size_t at = (size_t)pl_random_int(r, (int)size), n = 1 + (size_t)pl_random_int(r, 60);
    if (at + n > size) n = size - at;
    switch (pl_random_int(r, 7)) {
      case 0:
        size = at + 1;
        break;
      case 1:
        text[at] = (char)pl_random_int(r, 256);
        break;
      case 2:
        memmove(text + at, text + at + n, size - at - n), size -= n;
        break;
      case 3:
        if (size + n >= MAX_BYTES) break;
        memmove(text + at + n, text + at, size - at), size += n;
        break;
      case 4: {  // the value of an attribute or a text becomes something odd
        while (at < size && text[at] != '\'' && text[at] != '>') at++;
        if (at >= size) break;
        char close = text[at] == '\'' ? '\'' : '<';
        size_t end = at + 1;
        while (end < size && text[end] != close) end++;
        const char* word = odd[pl_random_int(r, (int)(sizeof odd / sizeof *odd))];
        size_t length = strlen(word);
        if (end >= size || size + length >= MAX_BYTES) break;
        memmove(text + at + 1 + length, text + end, size - end);
        memcpy(text + at + 1, word, length);
        size = size - (end - at - 1) + length;
        break;
      }
      case 5: {
        const char* word = odd[pl_random_int(r, (int)(sizeof odd / sizeof *odd))];
        size_t length = strlen(word);
        if (size + length >= MAX_BYTES) break;
        memmove(text + at + length, text + at, size - at);
        memcpy(text + at, word, length);
        size += length;
        break;
      }
      default: {
        const char* other = robot_seeds[pl_random_int(r, 3)];
        size_t from = (size_t)pl_random_int(r, (int)strlen(other));
        if (from + n > strlen(other)) n = strlen(other) - from;
        if (at + n <= size) memcpy(text + at, other + from, n);
      }
    }
  }
  return size;
}

static long loaded, compiled;

// Loads a text; what loads is compiled and stepped.
static void try_text(const char* name, const char* text, size_t size) {
  plError error = {0};
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = name;
  plStatus status = pl_spec_parse_robot(spec, &def, "/nowhere", text, size, NULL, &error);
  if (status) {
    CHECK(error.message[0] != 0);
    CHECK_INT(pl_spec_body_count(spec) + pl_spec_joint_count(spec) + pl_spec_shape_count(spec) +
                  pl_spec_actuator_count(spec) + pl_spec_constraint_count(spec),
              0);
  } else {
    loaded++;
    const plModel* model = pl_model_create(spec, &error);
    plData* data = model ? pl_data_create(model, &error) : NULL;
    CHECK(data || error.message[0]);
    compiled += data != NULL;
    for (int i = 0; data && i < 2; i++)
      if (pl_step(data, &error)) break;
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  pl_spec_destroy(spec);
}

static void seeds_are_good(void) {
  for (int i = 0; i < 3; i++) {
    long before = compiled;
    try_text(robot_seed_names[i], robot_seeds[i], strlen(robot_seeds[i]));
    CHECK_INT(compiled - before, 1);
  }
}

static void damaged_files(void) {
  static char text[MAX_BYTES];
  plRandom r = {21};
  double slowest = 0;
  for (long k = 0; k < count; k++) {
    int seed = pl_random_int(&r, 3);
    size_t size = strlen(robot_seeds[seed]);
    memcpy(text, robot_seeds[seed], size);
    size = damage(&r, text, size);
    double start = check_clock();
    try_text(robot_seed_names[seed], text, size);
    slowest = fmax(slowest, check_clock() - start);
  }
  printf("%ld damaged files: %ld still load, %ld run, slowest %.3f s\n", count, loaded, compiled, slowest);
  CHECK(loaded > count / 20 && loaded < count);
  CHECK(slowest < 5);
}

// ---- one test for each known attack

static void entity_bomb(void) {
  const char bomb[] =
      "<!DOCTYPE robot [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c "
      "'&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>"
      "<!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>]><robot name='&d;'><link name='&d;'/></robot>";
  plError error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = "bomb.urdf";
  CHECK(pl_spec_parse_robot(spec, &def, "", bomb, sizeof bomb - 1, NULL, &error));
  CHECK_HAS(error.message, "entities");
  pl_spec_destroy(spec);
}

static void external_entity_is_not_opened(void) {
  const char text[] =
      "<!DOCTYPE robot [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><robot><link name='&a;'/></robot>";
  plError error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = "out.urdf";
  CHECK(pl_spec_parse_robot(spec, &def, "", text, sizeof text - 1, NULL, &error));
  pl_spec_destroy(spec);
}

static void deep_nesting(void) {
  enum { DEPTH = 20000 };
  static char text[DEPTH * 8 + 100];
  size_t n = 0;
  n += (size_t)sprintf(text, "<mujoco><worldbody>");
  for (int i = 0; i < DEPTH; i++) memcpy(text + n, "<body>", 6), n += 6;
  plError error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = "deep.xml";
  CHECK(pl_spec_parse_robot(spec, &def, "", text, n, NULL, &error));
  CHECK_HAS(error.message, "nested too deeply");
  pl_spec_destroy(spec);
}

// Very many small elements: refused or loaded within a second or two, and without much memory.
static void very_many_links(void) {
  size_t n = 0, room = 12 << 20;
  char* text = malloc(room);
  n += (size_t)sprintf(text, "<robot name='r'>");
  for (int i = 0; n < room - 100; i++) n += (size_t)sprintf(text + n, "<link name='l%d'/>", i);
  n += (size_t)sprintf(text + n, "</robot>");
  double start = check_clock();
  try_text("many.urdf", text, n);
  CHECK(check_clock() - start < 20);
  free(text);
}

// ---- long chains: links, each on the one before it, or frames that refer to the next one

static size_t chain_of(char* text, size_t room, int n, bool sdf, bool frames, double apart) {
  size_t at = (size_t)snprintf(text, room, sdf ? "<sdf version='1.9'><model name='m'>" : "<robot name='r'>");
  for (int i = 0; i < n; i++) {
    if (!frames || i == n - 1)
      at += (size_t)snprintf(
          text + at, room - at,
          sdf ? "<link name='l%d'><pose>%g 0 0 0 0 0</pose><inertial><mass>1</mass></inertial><collision "
                "name='c'><geometry><sphere><radius>.1</radius></sphere></geometry></collision></link>"
              : "<link name='l%d'><inertial><origin xyz='%g 0 0'/><mass value='1'/></inertial><collision>"
                "<geometry><sphere radius='.1'/></geometry></collision></link>",
          frames ? 0 : i, sdf && !frames ? apart * i : 0);
    if (frames)
      at += (size_t)snprintf(text + at, room - at,
                             "<frame name='f%d' attached_to='%c%d'><pose>0 0 .1 0 0 0"
                             "</pose></frame>",
                             i, i < n - 1 ? 'f' : 'l', i < n - 1 ? i + 1 : 0);
    else if (i)
      at += (size_t)snprintf(
          text + at, room - at,
          sdf ? "<joint name='j%d' type='ball'><parent>l%d</parent><child>l%d</child><pose>%g 0 0 0 0 "
                "0</pose></joint>"
              : "<joint name='j%d' type='revolute'><parent link='l%d'/><child link='l%d'/>"
                "<origin xyz='%g 0 0'/></joint>",
          i, i - 1, i, apart);
  }
  return at + (size_t)snprintf(text + at, room - at, sdf ? "</model></sdf>" : "</robot>");
}

typedef struct Chain {
  char* text;
  size_t size;
  const char* name;
  plStatus status;
  double z;  // m, of the first frame
} Chain;

static void* load_chain(void* user) {
  Chain* c = user;
  plError error = {0};
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = c->name;
  c->status = pl_spec_parse_robot(spec, &def, "", c->text, c->size, NULL, &error);
  if (c->status) printf("%s\n", error.message);
  if (spec->nsite) c->z = spec->site[0].pose.p.z;
  pl_spec_destroy(spec);
  return NULL;
}

// 3000 links load in seconds, and so do 800 that all overlap; 3000 frames on a stack of 512 KiB, at the right
// position.
static void long_chains_are_loaded(void) {
  enum { N = 3000 };
  size_t room = (size_t)N * 400;
  char* text = malloc(room);
  for (int k = 0; k < 4; k++) {
    bool sdf = k == 1 || k == 2;
    Chain c = {.text = text,
               .size = chain_of(text, room, k == 3 ? 800 : N, sdf, k == 2, k == 3 ? 0 : 0.3),
               .name = sdf ? "c.sdf" : "c.urdf"};
    CHECK(c.size < room);
    double start = check_clock();
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, k == 2 ? (size_t)512 << 10 : (size_t)8 << 20);
    CHECK_INT(pthread_create(&thread, &attributes, load_chain, &c), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    printf("chain %d: %.2f s\n", k, check_clock() - start);
    CHECK_INT(c.status, PL_OK);
    CHECK(check_clock() - start < 15);  // wide: the machine may be busy; with a cubic search it takes minutes
    if (k == 2) CHECK_NEAR(c.z, N * 0.1, 1e-9);
  }
  free(text);
}

// ---- thousands of a kind, without names or with the same one: each new name is found at once

static void many_of_a_kind_are_loaded(void) {
  static const struct {
    const char *name, *head, *item, *tail;
  } file[] = {
      {"visuals.urdf", "<robot name='r'><link name='l'>",
       "<visual><geometry><sphere radius='1'/></geometry></visual>", "</link></robot>"},
      {"collisions.urdf", "<robot name='r'><link name='l'>",
       "<collision name='c'><geometry><sphere radius='1'/></geometry></collision>", "</link></robot>"},
      {"motors.urdf",
       "<robot name='r'><link name='l'/><link name='k'/><joint name='j' type='continuous'><parent link='l'/>"
       "<child link='k'/></joint>",
       "<transmission><type>SimpleTransmission</type><joint name='j'/><actuator name='a'/></transmission>",
       "</robot>"},
      {"shapes.sdf", "<sdf version='1.9'><model name='m'><link name='l'>",
       "<visual name='v'><geometry><sphere><radius>1</radius></sphere></geometry></visual>",
       "</link></model></sdf>"},
      {"models.sdf", "<sdf version='1.9'><model name='m'><link name='l'/>",
       "<model name='k%d' placement_frame='l'><link name='l'/></model>", "</model></sdf>"},
      {"geoms.xml", "<mujoco><worldbody><body>", "<geom size='1'/>", "</body></worldbody></mujoco>"},
      {"sites.xml", "<mujoco><worldbody><body>", "<site/>", "<geom size='1'/></body></worldbody></mujoco>"},
      {"bodies.xml", "<mujoco><worldbody>", "<body><joint/><geom size='1'/></body>", "</worldbody></mujoco>"},
      {"welds.xml", "<mujoco><worldbody>", "<body><geom size='1'/></body>", "</worldbody></mujoco>"},
      {"sensors.xml", "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><sensor>",
       "<jointpos joint='j'/>", "</sensor></mujoco>"},
      {"motors.xml",
       "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>",
       "<motor joint='j'/>", "</actuator></mujoco>"},
      {"pairs.xml",
       "<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/></body></worldbody><equality>",
       "<connect body1='a' anchor='0 0 0'/>", "</equality></mujoco>"},
      {"tendons.xml", "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><tendon>",
       "<fixed stiffness='1'><joint joint='j' coef='1'/></fixed>", "</tendon></mujoco>"},
  };
  enum { N = CHECK_MEMBERS(3000), ROOM = 200 * N + 1000 };
  char* text = malloc(ROOM);
  for (size_t k = 0; k < sizeof file / sizeof *file; k++) {
    size_t n = (size_t)sprintf(text, "%s", file[k].head);
    for (int i = 0; i < N; i++) {
      const char* number = strstr(file[k].item, "%d");
      n += number ? (size_t)sprintf(text + n, "%.*s%d%s", (int)(number - file[k].item), file[k].item, i,
                                    number + 2)
                  : (size_t)sprintf(text + n, "%s", file[k].item);
    }
    n += (size_t)sprintf(text + n, "%s", file[k].tail);
    CHECK(n < ROOM);
    plError error;
    plSpec* spec = pl_spec_create();
    plRobotDef def = pl_default_robot_def();
    def.file = file[k].name;
#ifndef CHECK_SANITIZED
    long before = check_most_resident();
#endif
    double start = check_clock();
    plStatus status = pl_spec_parse_robot(spec, &def, "/nowhere", text, n, NULL, &error);
    if (status) printf("%s: %s\n", file[k].name, error.message);
    CHECK_INT(status, PL_OK);
    double seconds = check_clock() - start;
    printf("%s: %.2f s\n", file[k].name, seconds);
#ifndef CHECK_SANITIZED
    CHECK(check_most_resident() <
          before + 50 * 1024);  // 72 MiB more if each placed model keeps a list of all
#endif
    CHECK(seconds < 5);  // at most 0.2 s; 10 s if every name before it is tried
    pl_spec_destroy(spec);
  }
  free(text);
}

// Bodies that their masks keep apart, and as many pairs of their geoms that collide all the same.
static void many_pairs_are_loaded(void) {
  enum { N = CHECK_MEMBERS(480), ROOM = 400 * N + 1000 };
  char* text = malloc(ROOM);
  size_t n = (size_t)sprintf(text, "<mujoco><worldbody>");
  for (int i = 0; i < N; i++)
    n += (size_t)sprintf(text + n,
                         "<body pos='%d 0 0'><freejoint/><geom name='a%d' size='.1' conaffinity='2'/>"
                         "<geom name='b%d' size='.1' conaffinity='2'/></body>",
                         i, i, i);
  n += (size_t)sprintf(text + n, "</worldbody><contact>");
  for (int i = 0; i < 2 * N; i++)
    n += (size_t)sprintf(text + n, "<pair geom1='a%d' geom2='b%d'/>", i % N, (i + 1 + i / N) % N);
  n += (size_t)sprintf(text + n, "</contact></mujoco>");
  CHECK(n < ROOM);
  plError error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = "pairs.xml";
  double start = check_clock();
  CHECK_INT(pl_spec_parse_robot(spec, &def, "/nowhere", text, n, NULL, &error), PL_OK);
  double seconds = check_clock() - start;
  printf("%d pairs: %.2f s\n", 2 * N, seconds);
  CHECK(seconds < 5);  // 0.1 s; minutes if all names are compared for each two bodies
  CHECK_INT(spec->nexclude, N * (N - 1) / 2 - 2 * N);
  pl_spec_destroy(spec), free(text);
}

// ---- memory

// A free base of two welded links without inertia, with meshes; meshes whose inertia is that of their hull.
static const char free_urdf[] =
    "<robot name='r'><link name='a'><collision><geometry><mesh filename='" PLIANT_BINARYDIR
    "/hostile.obj'/></geometry></collision></link><link name='b'><collision><geometry><mesh "
    "filename='" PLIANT_BINARYDIR
    "/hostile.obj'><drake:declare_convex/></mesh></geometry></collision></link><joint name='j' type='fixed'>"
    "<parent link='a'/><child link='b'/><origin xyz='2 0 0'/></joint></robot>";
static const char hull_mjcf[] =
    "<mujoco><asset><mesh name='v' inertia='convex' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 "
    "1 2 3'/></asset><worldbody><body name='a'><freejoint/><geom type='mesh' mesh='v'/><geom type='box' "
    "mesh='v'/></body></worldbody></mujoco>";

static plStatus load_padded(const char* text, const char* name, int pad, long fail, long* made) {
  static char padded[MAX_BYTES * 3];
  const char* end = strchr(text, '>');
  int n = snprintf(padded, sizeof padded, "%.*s pad='%*s'%s", (int)(end - text), text, pad, "", end);
  plError error = {0};
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = name, def.inertia = PL_INERTIA_SHAPES, def.meshes = PL_MESHES_CONVEX;
  plLoadOptions options = {.ignore_missing_meshes = true};
  long before = pl_alloc_count();
  pl_alloc_fail_after(fail);
  plStatus status = pl_spec_parse_robot(spec, &def, "", padded, (size_t)n, &options, &error);
  pl_alloc_fail_after(-1);
  *made = pl_alloc_count() - before;
  if (status) CHECK_INT(pl_spec_body_count(spec) + pl_spec_joint_count(spec) + pl_spec_shape_count(spec), 0);
  pl_spec_destroy(spec);
  return status;
}

// A load in which an allocation fails ends in PL_ERROR_MEMORY: it neither succeeds without what the memory
// was for, nor blames the file. The padding moves the ends of the reader's blocks of memory.
static void running_out_of_memory_is_named(void) {
  FILE* file = fopen(PLIANT_BINARYDIR "/hostile.obj", "w");
  fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n", file);
  fclose(file);
  const char* const text[] = {robot_seed_urdf, robot_seed_sdf, robot_seed_mjcf, free_urdf, hull_mjcf};
  const char* const name[] = {"a.urdf", "a.sdf", "a.xml", "b.urdf", "b.xml"};
  plRandom r = {5};
  int failures = 0;
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 8; k++) {
      int pad = k ? pl_random_int(&r, 65000) : 1;
      long all, made;
      CHECK_INT(load_padded(text[i], name[i], pad, -1, &all), PL_OK);
      for (long n = 0; n < all; n++) {
        plStatus status = load_padded(text[i], name[i], pad, n, &made);
        if (status != PL_ERROR_MEMORY) printf("%s, pad %d, allocation %ld of %ld\n", name[i], pad, n, all);
        CHECK_INT(status, PL_ERROR_MEMORY);
        failures++;
      }
    }
  printf("%d loads with a failed allocation\n", failures);
  CHECK(failures > 3000);
  remove(PLIANT_BINARYDIR "/hostile.obj");
}

int main(int argc, char** argv) {
  if (argc > 1 && atol(argv[1]) > 0) count = atol(argv[1]), argc = 1;
  struct rlimit limit = {(rlim_t)4 << 30, (rlim_t)4 << 30};
#ifndef CHECK_SANITIZED
  setrlimit(RLIMIT_AS, &limit);
#else
  (void)limit;
  count = count > 1500 ? 1500 : count;
#endif
  CHECK_MAIN(argc, argv);
  RUN(many_of_a_kind_are_loaded);  // first: the memory of what ran before would hide its own
  RUN(many_pairs_are_loaded);
  RUN(seeds_are_good);
  RUN(damaged_files);
  RUN(entity_bomb);
  RUN(external_entity_is_not_opened);
  RUN(deep_nesting);
  RUN(very_many_links);
  RUN(long_chains_are_loaded);
  RUN(running_out_of_memory_is_named);
  return CHECK_END;
}
