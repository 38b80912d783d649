"""Robot files as their patterns occur in the wild, small and of our own: write(folder) puts them there, one for each pattern."""
import os

# MuJoCo keeps vertices as 32-bit floats: these are exact
CUBE = "vertex='0 0 0 .25 0 0 0 .125 0 .25 .125 0 0 0 .375 .25 0 .375 0 .125 .375 .25 .125 .375'"
FACE = "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6"
GEOM = "<geom type='capsule' size='.03 .1' pos='0 0 .1' mass='.7'/>"


def chain(joints, geom=GEOM, body="", first="<body name='base' euler='25 35 0'>"):
    """A chain of hinges about alternating axes, each body .2 m above the last, leaning so that it falls."""
    text, end = first + "<geom type='box' size='.05 .05 .05'/>", "</body>"
    for k, joint in enumerate(joints):
        text += f"<body name='l{k}' pos='0 0 .2' {body}>{joint}{geom}"
        end += "</body>"
    return text + end


def hinge(k, more="damping='.3'"):
    return f"<joint name='j{k}' axis='{['0 1 0', '1 0 0', '0 0 1'][k % 3]}' {more}/>"


HINGES = [hinge(k) for k in range(3)]


def mjcf(world, more="", head=""):
    return f"<mujoco>{head}<worldbody>{world}</worldbody>{more}</mujoco>"


def mesh(attributes, faces, geom):
    return mjcf(chain(HINGES[:2], f"<geom mesh='m' density='800' {geom}/>"), f"<asset><mesh name='m' {CUBE} {'face=' + repr(faces) if faces else ''} {attributes}/></asset>")


def patterns():
    closed = FACE + " 1 3 5 3 7 5"
    # meshes: every kind of inertia, closed and open, moved and scaled; primitives fitted to them
    for kind in ("legacy", "exact", "convex", "shell"):
        yield f"mesh_{kind}", mesh(f"inertia='{kind}'", closed, "type='mesh'")
    yield "mesh_default_open", mesh("", FACE, "type='mesh'")
    yield "mesh_shell_open", mesh("inertia='shell'", FACE, "type='mesh'")
    yield "mesh_without_faces", mesh("", "", "type='mesh'")
    yield "mesh_mirrored", mesh("scale='1 -1 1.5'", closed, "type='mesh'")
    yield "mesh_reference", mesh("refpos='.125 0 .0625' refquat='.5 .5 -.5 .5'", closed, "type='mesh' quat='1 1 0 0'")
    for kind in ("sphere", "capsule", "cylinder", "box", "ellipsoid"):
        yield f"fitted_{kind}", mesh("", closed, f"type='{kind}' fitscale='.9' euler='10 20 30'")
    yield "fitted_to_the_box", mesh("", closed, "type='capsule'").replace("<mujoco>", "<mujoco><compiler fitaabb='true'/>")
    for kind in ("sphere", "capsule", "cylinder", "box"):
        yield f"shell_{kind}", mjcf(chain(HINGES, f"<geom type='{kind}' size='.04 .06 .09' density='20' shellinertia='true'/>"))
    # servos under all their names
    servo = {"position": "<position joint='j0' kp='40' kv='3'/>", "dampratio": "<position joint='j0' kp='40' dampratio='.8'/>",
             "general": "<general joint='j0' gainprm='40' biastype='affine' biasprm='0 -40 -3'/>",
             "geared": "<position joint='j0' kp='4' kv='.3' gear='3'/>", "offset": "<general joint='j0' gainprm='30' biastype='affine' biasprm='2 -40 -3'/>",
             "limited": "<position joint='j0' kp='40' kv='3' ctrlrange='-.5 .5' forcerange='-30 30'/>", "velocity": "<velocity joint='j1' kv='2'/>",
             "motor": "<motor joint='j2' gear='5'/>", "tendon": "<position tendon='t' kp='20' kv='1'/>"}
    tendon = "<tendon><fixed name='t'><joint joint='j0' coef='1'/><joint joint='j1' coef='-.5'/></fixed></tendon>"
    for name, text in servo.items():
        yield f"servo_{name}", mjcf(chain(HINGES), tendon + f"<actuator>{text}</actuator>")
    classes = {"general_class": "<default><general biastype='affine' gainprm='40' biasprm='0 -40 -3'/></default>",
               "position_class": "<default><position kp='40' kv='3'/></default>",
               "nested_class": "<default><general biasprm='0 0 -3'/><default class='c'><position kp='40'/></default></default>"}
    for name, text in classes.items():
        use = "<position class='c' joint='j0'/>" if "nested" in name else "<general joint='j0'/>"
        yield f"servo_{name}", mjcf(chain(HINGES), f"<actuator>{use}</actuator>", text)
    # on sites: thrust of rotors, cables through sites
    rotor = "<site name='s{0}' pos='{1} {2} .02' euler='5 0 {0}0'/>"
    quad = "<body pos='0 0 1' euler='10 20 0'><freejoint/><geom type='box' size='.1 .1 .02' mass='1'/>" + "".join(
        rotor.format(k, *p) for k, p in enumerate((("-.1", "-.1"), ("-.1", ".1"), (".1", ".1"), (".1", "-.1")))) + "</body>"
    yield "rotors", mjcf(quad, "<actuator>" + "".join(
        f"<motor name='m{k}' site='s{k}' gear='0 0 1 0 0 {(-1) ** k * .02}' ctrlrange='0 13'/>" for k in range(4)) + "</actuator>")
    yield "site_velocity", mjcf(quad, "<actuator><velocity name='v' site='s0' kv='3' gear='1 2 0 0 .1 0'/></actuator>")
    post = "<site name='w' pos='.3 .1 .2'/>"
    strung = chain([h.replace("/>", f"/><site name='c{k}' pos='.04 .01 .05'/>") for k, h in enumerate(HINGES)])
    cable = "<tendon><spatial name='t' {}><site site='w'/><site site='c0'/><site site='c1'/><site site='c2'/></spatial></tendon>"
    for name, act in {"motor": "<motor tendon='t' gear='-2'/>", "position": "<position tendon='t' kp='200' kv='10'/>",
                      "general": "<general tendon='t' gainprm='50' biastype='affine' biasprm='1 -60 -4' forcerange='-20 20'/>"}.items():
        yield f"cable_{name}", mjcf(post + strung, cable.format("") + f"<actuator>{act}</actuator>")
    yield "cable_spring", mjcf(post + strung, cable.format("stiffness='80' damping='3' springlength='.4'"))
    yield "tendon_spring", mjcf(chain([hinge(k, "damping='.3' ref='10'") for k in range(3)]), tendon.replace("name='t'", "name='t' stiffness='5' damping='.4'"))
    # joints and bodies
    yield "springs", mjcf(chain([hinge(k, "damping='.3' stiffness='4' springref='20' ref='5'") for k in range(3)]))
    yield "springs_and_ref", mjcf(chain([hinge(k, "damping='.3' stiffness='4' ref='15'") for k in range(3)]))
    yield "armatures", mjcf(chain([hinge(k, "damping='.3' armature='.05'") for k in range(4)]))
    yield "slides", mjcf(chain([f"<joint type='slide' axis='{a}' damping='4' stiffness='60'/>" for a in ("1 0 0", "0 1 1")]))
    yield "compensated", mjcf(chain(HINGES, body="gravcomp='.7'"))
    yield "several_on_a_body", mjcf(chain([hinge(0) + hinge(1) + hinge(2)]))
    yield "inertials", mjcf(chain(HINGES, "<inertial pos='.01 .02 .1' mass='2' fullinertia='.02 .03 .025 .001 -.002 .003'/>"))
    yield "bounded_masses", mjcf(chain(HINGES), head="<compiler boundmass='.9' boundinertia='.01' settotalmass='6'/>")
    yield "two_defaults", mjcf(chain(HINGES), "<default class='main'><joint armature='.02'/></default><default><geom density='500'/></default>")
    yield "empty_attributes", mjcf(chain([h.replace("/>", " range='' stiffness=' '/>") for h in HINGES]))
    yield "frames", mjcf("<frame pos='0 0 1' euler='0 30 0'>" + chain(HINGES) + "</frame>")
    yield "free_base", mjcf(chain(HINGES, first="<body name='base' pos='0 0 1'><freejoint/>"))
    yield "ball_joints", mjcf(chain(["<joint type='ball' damping='.2'/>", hinge(0)]))
    yield "radians", mjcf(chain([hinge(0, "damping='.3' springref='.4' stiffness='3'")]), head="<compiler angle='radian' eulerseq='zyx'/>")
    yield "frame_joints", mjcf("<body name='b' pos='0 0 1'><frame euler='0 30 0' pos='.1 0 0'><joint name='j0' axis='0 1 0' pos='.1 0 0' damping='.1'/><geom type='box' size='.1 .2 .05' pos='.1 .1 0'/></frame></body>")
    yield "frame_inertial", mjcf("<body name='b'><joint axis='0 1 0'/><frame pos='.1 0 0' euler='20 0 0'><inertial pos='.1 0 .2' mass='2' diaginertia='.1 .2 .25'/></frame></body>")
    yield "numbers_from_classes", mjcf(chain(HINGES, "<geom size='.04'/>"), head="<default><geom type='box' size='.02 .03 .1' pos='0 0 .1'/></default>")
    yield "spring_by_time", mjcf(chain([hinge(0, "springdamper='.5 1'"), hinge(1, "springdamper='.2 .7' armature='.1'")]))
    yield "balanced", mjcf(chain(HINGES, "<inertial pos='.01 .02 .1' mass='2' diaginertia='1 .1 .1'/>"), head="<compiler balanceinertia='true'/>")
    hands = "".join(f"<frame pos='{x} 0 .1' euler='0 0 45'><attach model='hand' body='base' prefix='{side}_'/></frame>" for x, side in ((".2", "left"), ("-.2", "right")))
    yield "attached", mjcf(f"<body name='trunk' pos='0 0 1' childclass='c'><freejoint/><geom size='.1'/>{hands}</body>", "<actuator><motor name='own' joint='left_j1'/></actuator>",
                           "<default><joint armature='3'/><default class='c'><joint damping='5'/></default></default><asset><model name='hand' file='parts/hand.xml'/></asset>")
    yield "attached_world", mjcf("<frame pos='.1 0 0' euler='0 40 0'><attach model='hand' prefix='x_'/></frame>", head="<asset><model name='hand' file='parts/hand.xml'/></asset>")


# files that others attach
PARTS = {"hand.xml": mjcf(chain(HINGES), "<actuator><position name='a' joint='j0' kp='10' kv='1'/></actuator>",
                          "<compiler angle='radian'/><default><joint armature='.03'/><geom density='300'/></default>")}


def write(folder):
    os.makedirs(os.path.join(folder, "parts"), exist_ok=True)
    for name, text in PARTS.items():
        open(os.path.join(folder, "parts", name), "w").write(text.replace("euler='25 35 0'", "euler='.4 .6 0'"))
    for name, text in patterns():
        path = os.path.join(folder, name + ".xml")
        open(path, "w").write(text + "\n")
        yield path
