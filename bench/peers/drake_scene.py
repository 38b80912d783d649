#!/usr/bin/env python3
"""Runs a scene of bench/peers/scenes in Drake on one thread and writes what it measured as JSON.

    drake_scene.py SCENE.yaml REPORT.json [--law sap|lagged|similar] [--work FOLDER]

It reads the part of Pliant's scene format that these scenes use: soft bodies from meshes, one half space as the ground, robots with PD
controllers, attachments to a region. Meshes and robots are looked for beside the scene and in FOLDER. Only AdvanceTo is timed, in CPU time
of this process.
"""
import argparse, json, os, re, time

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import scene_file
from pydrake.all import (AddContactMaterial, AddMultibodyPlant, Box, CoulombFriction, DeformableBodyConfig, DiagramBuilder, GeometryInstance,
                         MaterialModel, Mesh, MultibodyPlantConfig, Parser, PdControllerGains, PiecewisePolynomial, ProximityProperties,
                         RigidTransform, RollPitchYaw, Simulator, TrajectorySource)

MODELS = {"linear_corotated": MaterialModel.kLinearCorotated, "neo_hookean": MaterialModel.kNeoHookean}


class Scene:
    def __init__(self, path, work, law):
        self.spec, self.path, self.work = scene_file.load(path), path, work
        self.builder = DiagramBuilder()
        config = MultibodyPlantConfig(time_step=self.spec["options"]["dt"], discrete_contact_approximation=law)
        self.plant, self.graph = AddMultibodyPlant(config, self.builder)
        self.soft, self.robots, self.desired = {}, {}, []

    def find(self, name):
        return scene_file.find(name, self.path, self.work)


def pose(spec):
    spec = spec or {}
    return RigidTransform(RollPitchYaw(spec.get("rpy", [0, 0, 0])), spec.get("position", [0, 0, 0]))


def surface(mu, hint=None):
    properties = ProximityProperties()
    AddContactMaterial(friction=CoulombFriction(mu, mu), properties=properties)
    if hint:
        properties.AddProperty("hydroelastic", "resolution_hint", hint)
    return properties


def add_soft(s, spec):
    m = spec["material"]
    config = DeformableBodyConfig()
    config.set_youngs_modulus(m["young"])
    config.set_poissons_ratio(m["poisson"])
    config.set_mass_density(m["density"])
    config.set_stiffness_damping_coefficient(m.get("damping", {}).get("stiffness", 0))
    config.set_material_model(MODELS[m.get("kind", "linear_corotated")])
    body = GeometryInstance(pose(spec.get("pose")), Mesh(s.find(spec["mesh"]), spec.get("scale", 1)), spec["name"])
    body.set_proximity_properties(surface(spec["surface"]["friction"]))
    s.soft[spec["name"]] = s.plant.mutable_deformable_model().RegisterDeformableBody(body, config, 1.0)


def add_ground(s, spec):
    """Drake has no contact of soft bodies with a half space: a cube of 1 m whose top is the ground."""
    top = pose(spec.get("pose")).translation()[2]
    s.plant.RegisterCollisionGeometry(s.plant.world_body(), RigidTransform([0, 0, top - 0.5]), Box(1, 1, 1), spec["name"],
                                      surface(spec["surface"]["friction"], 0.05))


def without_meshes(path):
    """The text of a robot file without pictures and without collision meshes; primitives stay, as in Pliant's runs of these scenes."""
    text = re.sub(r"<visual.*?</visual>", "", open(path).read(), flags=re.S)
    return re.sub(r"<collision(?:(?!</collision>).)*<mesh.*?</collision>", "", text, flags=re.S)


def add_robot(s, spec):
    plant, path = s.plant, s.find(spec["file"])
    parser = Parser(s.builder)
    parser.SetAutoRenaming(True)
    robot = parser.AddModelsFromString(without_meshes(path), os.path.splitext(path)[1][1:])[0]
    s.robots[spec["name"]] = robot
    bodies = [plant.get_body(i) for i in plant.GetBodyIndices(robot)]
    joints = [plant.get_joint(i) for i in plant.GetJointIndices(robot)]
    if spec.get("base") == "weld" and not any(j.parent_body() == plant.world_body() for j in joints):
        children = {j.child_body().index() for j in joints}
        root = next(b for b in bodies if b.index() not in children)
        parent = plant.world_frame()
        if "parent" in spec:
            name, link = spec["parent"].split("/", 1)
            parent = plant.GetFrameByName(link, s.robots[name])
        plant.WeldFrames(parent, root.body_frame())
    if spec.get("gravity") is False:
        plant.set_gravity_enabled(robot, False)
    for start in spec.get("joints", []):
        plant.GetJointByName(start["name"], robot).set_default_positions([start["position"]])
    add_controllers(s, spec, robot)


def add_controllers(s, spec, robot):
    """PD actuators as Drake's own; the wanted positions are linear in time and the wanted velocities zero."""
    plant = s.plant
    actuators = [plant.get_joint_actuator(i) for i in plant.GetJointActuatorIndices()]
    has = {a.joint().name(): a for a in actuators if a.model_instance() == robot}
    wanted = {}
    for c in spec.get("controllers", []):
        actuator = has.get(c["joint"]) or plant.AddJointActuator(c["joint"], plant.GetJointByName(c["joint"], robot))
        if "kp" in c:  # else the robot's file has its gains
            actuator.set_controller_gains(PdControllerGains(p=c["kp"], d=c["kd"]))
        wanted[c["joint"]] = c
    s.desired.append((robot, wanted))


def connect(s):
    """One source of wanted states for each robot, in the order of its actuators."""
    for robot, wanted in s.desired:
        order = [s.plant.get_joint_actuator(i).joint().name() for i in s.plant.GetJointActuatorIndices(robot)]
        times = sorted({t for c in wanted.values() for t in [0.0, *c["times"], 1e3]})
        rows = np.array([np.interp(times, wanted[j]["times"], wanted[j]["values"]) if j in wanted else np.zeros(len(times)) for j in order])
        path = PiecewisePolynomial.FirstOrderHold(times, np.vstack([rows, 0 * rows]))
        source = s.builder.AddSystem(TrajectorySource(path))
        s.builder.Connect(source.get_output_port(), s.plant.get_desired_state_input_port(robot))


def start_pose(s, body):
    """Where a robot's body is at the start, from a plant of its own: attachments are made before the plant is complete."""
    s = Scene(s.path, s.work, "sap")
    for spec in s.spec["robots"]:
        add_robot(s, spec)
    s.plant.Finalize()
    name, link = body.split("/", 1)
    return s.plant.GetBodyByName(link, s.robots[name]).EvalPoseInWorld(s.plant.CreateDefaultContext())


def add_attachment(s, spec):
    """A half space of the mesh's own frame, as a large box on the robot's body."""
    soft = next(d for d in s.spec["deformables"] if d["name"] == spec["deformable"])
    X_WA, X_WB = pose(soft.get("pose")), start_pose(s, spec["to"])
    normal = np.array(spec["region"]["normal"], float)
    assert spec["region"]["shape"] == "half_space" and abs(normal[2]) == 1, "only half spaces along z"
    centre = np.array(spec["region"]["centre"]) - 0.5 * normal
    X_BA = X_WB.inverse().multiply(X_WA)
    name, link = spec["to"].split("/", 1)
    s.plant.mutable_deformable_model().AddFixedConstraint(s.soft[spec["deformable"]], s.plant.GetBodyByName(link, s.robots[name]), X_BA,
                                                          Box(1, 1, 1), X_BA.multiply(RigidTransform(centre)))


def build(path, work, law):
    s = Scene(path, work, law)
    for spec in s.spec.get("shapes", []):
        add_ground(s, spec)
    for spec in s.spec.get("robots", []):
        add_robot(s, spec)
    for spec in s.spec["deformables"]:
        add_soft(s, spec)
    for spec in s.spec.get("attachments", []):
        add_attachment(s, spec)
    s.plant.Finalize()
    connect(s)
    s.simulator = Simulator(s.builder.Build())
    s.context = s.plant.GetMyMutableContextFromRoot(s.simulator.get_mutable_context())
    return s


def contacts(results):
    soft = sum(results.deformable_contact_info(i).contact_mesh().num_faces() for i in range(results.num_deformable_contacts()))
    return soft + results.num_point_pair_contacts() + results.num_hydroelastic_contacts()


def run(s):
    dt, duration = s.spec["options"]["dt"], s.spec["options"]["duration"]
    model, port = s.plant.deformable_model(), s.plant.get_contact_results_output_port()
    cpu, counts, samples, error = 0.0, [], [], None
    for k in range(round(duration / dt)):
        begin = time.process_time()
        try:
            s.simulator.AdvanceTo((k + 1) * dt)
        except RuntimeError as e:
            error = f"step {k}: {str(e)[:200]}"
            break
        cpu += time.process_time() - begin
        counts.append(contacts(port.Eval(s.context)))
        row = {"time": (k + 1) * dt}
        for name, body in s.soft.items():
            row[name] = [float(x) for x in model.GetBody(body).CalcCenterOfMassPositionInWorld(s.context)]
        samples.append(row)
    steps = max(1, len(counts))
    return {"ms": 1e3 * cpu / steps, "steps": len(counts), "contacts": float(np.mean(counts)) if counts else 0, "samples": samples,
            "error": error}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("scene")
    ap.add_argument("report")
    ap.add_argument("--law", default="sap")
    ap.add_argument("--work", default=".")
    a = ap.parse_args()
    json.dump(run(build(a.scene, a.work, a.law)), open(a.report, "w"))


if __name__ == "__main__":
    main()
