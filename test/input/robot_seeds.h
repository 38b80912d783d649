// robot_seeds.h: a small valid robot in each format, with most of what the readers know, for mutation.
#ifndef PL_TEST_INPUT_ROBOT_SEEDS_H
#define PL_TEST_INPUT_ROBOT_SEEDS_H

static const char robot_seed_urdf[] =
    "<robot name='r'><material name='m'><color rgba='1 0 0 1'/></material><link name='world'/><link "
    "name='a'><inertial><origin xyz='0 0 1' rpy='0 0 1'/><mass value='2'/>"
    "<inertia ixx='1' iyy='2' izz='3' ixy='0.1' ixz='0' iyz='0'/></inertial><collision "
    "name='c'><geometry><sphere radius='0.5'/></geometry></collision>"
    "<visual><geometry><mesh filename='package://x/y.stl' scale='1 1 1'/></geometry></visual></link><link "
    "name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    "<collision><geometry><cylinder radius='0.1' length='1'/></geometry></collision></link>"
    "<joint name='j' type='revolute'><parent link='world'/><child link='a'/><origin xyz='0 0 1'/><axis "
    "xyz='0 1 0'/><limit lower='-1' upper='1' effort='3' velocity='1'/>"
    "<dynamics damping='0.1' friction='1'/></joint><joint name='k' type='prismatic'><parent link='a'/><child "
    "link='b'/><axis xyz='1 0 0'/><mimic joint='j' multiplier='2'/></joint>"
    "<transmission><type>SimpleTransmission</type><joint name='j'/><actuator name='m'><drake:rotor_inertia "
    "value='0.1'/></actuator></transmission></robot>";
static const char robot_seed_sdf[] =
    "<sdf version='1.9'><model name='m'><pose>0 0 1 0 0 0</pose><link name='a'><pose>1 0 0 0 0 "
    "1</pose><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
    "<collision name='c'><pose>0 0 1 0 0 0</pose><geometry><box><size>1 1 "
    "1</size></box></geometry></collision></link><frame name='f' attached_to='a'><pose>0 0 1 0 0 "
    "0</pose></frame>"
    "<link name='b'><pose relative_to='f'>0 0 0 0 0 0</pose><inertial auto='true'/><collision "
    "name='d'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>"
    "<model name='n'><link "
    "name='x'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></"
    "link></model>"
    "<joint name='j' type='universal'><parent>f</parent><child>b</child><axis><xyz "
    "expressed_in='__model__'>1 0 0</xyz></axis><axis2><xyz expressed_in='__model__'>0 1 "
    "0</xyz></axis2></joint>"
    "<joint name='w' "
    "type='screw'><parent>world</parent><child>n::x</child><screw_thread_pitch>0.1</"
    "screw_thread_pitch><axis><xyz>0 0 1</xyz><limit><effort>2</effort></limit></axis></joint>"
    "<link name='s'><collision "
    "name='c'><geometry><sphere><radius>0.1</radius></sphere></"
    "geometry><drake:proximity_properties><drake:mesh_resolution_hint>0.1</drake:mesh_resolution_hint>"
    "</drake:proximity_properties></collision><drake:deformable_properties><drake:youngs_modulus>1e4</"
    "drake:youngs_modulus></drake:deformable_properties></link></model></sdf>";
static const char robot_seed_mjcf[] =
    "<mujoco model='r'><compiler angle='degree' eulerseq='xyz'/><default><geom density='500'/><default "
    "class='f'><joint damping='.1' range='-45 60'/><position kp='3'/></default></default>"
    "<worldbody><geom type='plane' size='1 1 .1'/><body name='a' pos='0 0 1' childclass='f'><freejoint "
    "name='root'/><geom type='box' size='.1 .2 .3' mass='2'/>"
    "<frame pos='0 0 .2' euler='0 90 0'><body name='b'><joint name='j1' axis='0 1 0'/><joint name='j2' "
    "type='slide' ref='1'/><geom type='capsule' size='.01' fromto='0 0 0 0 0 .2'/>"
    "<body name='c' axisangle='1 0 0 30'><joint name='bb' type='ball'/><inertial pos='0 0 .1' mass='.3' "
    "fullinertia='.01 .02 .03 .001 .002 .003'/></body></body></frame></body></worldbody>"
    "<actuator><position class='f' joint='j1' ctrlrange='-1 1'/><motor joint='j2' gear='2'/><general "
    "joint='j2' gainprm='5' biastype='affine' biasprm='1 -5 -.2'/></actuator>"
    "<equality><connect body1='c' anchor='0 0 .1'/><weld body1='b' body2='c'/><joint joint1='j1' joint2='j2' "
    "polycoef='0 1'/></equality>"
    "<tendon><fixed range='-1 2'><joint joint='j1' coef='1'/></fixed></tendon><contact><exclude body1='a' "
    "body2='b'/></contact>"
    "<tendon><fixed name='t'><joint joint='j1' coef='2'/><joint joint='j2' coef='-1'/></fixed></tendon>"
    "<actuator><position tendon='t' kp='2' forcerange='-1 3'/></actuator>"
    "<asset><mesh name='v' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='.1 .1 .1'/></asset>"
    "<worldbody><replicate count='2' offset='0 1 0' euler='0 0 9' sep='_'><body name='k'><joint type='ball' "
    "range='0 40'/>"
    "<geom type='mesh' mesh='v'/></body></replicate></worldbody>"
    "<keyframe><key name='home' qpos='0 0 2 1 0 0 0 .1 .2 1 0 0 0 1 0 0 0 1 0 0 0'/></keyframe></mujoco>";
static const char* const robot_seeds[] = {robot_seed_urdf, robot_seed_sdf, robot_seed_mjcf};
static const char* const robot_seed_names[] = {"a.urdf", "a.sdf", "a.xml"};

#endif
