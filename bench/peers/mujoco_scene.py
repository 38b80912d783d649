#!/usr/bin/env python3
"""Runs a scene of bench/peers/scenes in MuJoCo on one thread and writes what it measured as JSON.

    mujoco_scene.py SCENE.yaml REPORT.json [--work FOLDER]      a scene with soft bodies, step by step
    mujoco_scene.py MODEL.xml REPORT.json --steps N             a rigid MJCF model, all steps in one call

Soft bodies become flex objects on the scene's own mesh. Their elasticity is integrated implicitly (integrator="discrete"); with the other
integrators these bodies are unstable at this time step. Robots are read by MuJoCo from the scene's own URDF file. CPU time of this process
counts.
"""
import argparse, json, time
import mujoco
import numpy as np
import meshes, scene_file


def text(values):
    return " ".join("%.17g" % x for x in np.ravel(values))


def flex(spec, scene, work):
    """A soft body on its own mesh. MuJoCo has one law for solids (Saint Venant-Kirchhoff)."""
    points, tets = meshes.read(scene_file.find(spec["mesh"], scene, work))
    m, position = spec["material"], spec.get("pose", {}).get("position", [0, 0, 0])
    assert "rpy" not in spec.get("pose", {}) and "scale" not in spec, "only meshes that are shifted"
    mass = m["density"] * sum(meshes.volume(points, t) for t in tets)
    return (f'<flexcomp name="{spec["name"]}" type="direct" dim="3" pos="{text(position)}" mass="{mass:.17g}" radius="0.0005" point="{text(points)}" '
            f'element="{" ".join(str(i) for t in tets for i in t)}"><edge damping="0"/><elasticity young="{m["young"]}" poisson="{m["poisson"]}" '
            f'damping="{m["damping"]["stiffness"]}"/><contact selfcollide="none" friction="{spec["surface"]["friction"]}"/></flexcomp>')


def model_of(scene, work):
    spec = scene_file.load(scene)
    world = "".join(f'<geom type="plane" size="2 2 .1" friction="{g["surface"]["friction"]}"/>' for g in spec.get("shapes", []))
    world += "".join(flex(d, scene, work) for d in spec["deformables"])
    parent = mujoco.MjSpec.from_string(f'<mujoco><size memory="4G"/><option timestep="{spec["options"]["dt"]}" integrator="discrete"/>'
                                       f"<worldbody>{world}</worldbody></mujoco>")
    for robot in spec.get("robots", []):
        add_robot(parent, robot, scene, work)
    return parent.compile(), spec


def add_robot(parent, robot, scene, work):
    """MuJoCo's reading of the URDF file, gravity compensated where the scene says so, with position servos as the scene's PD controllers."""
    child = mujoco.MjSpec.from_file(scene_file.find(robot["file"], scene, work))
    for body in child.bodies[1:]:
        body.gravcomp = 1.0 if robot.get("gravity") is False else 0.0
    for c in robot["controllers"]:
        servo = child.add_actuator(name=c["joint"], target=c["joint"], trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_position(kp=c["kp"], kv=c["kd"])
    parent.attach(child, frame=parent.worldbody.add_frame(), prefix="")


def start(model, spec):
    """Joints at the scene's start, and for each actuator the times and values of its wanted position."""
    data, wanted = mujoco.MjData(model), []
    for robot in spec.get("robots", []):
        for j in robot.get("joints", []):
            data.qpos[model.joint(j["name"]).qposadr[0]] = j["position"]
        wanted += [(model.actuator(c["joint"]).id, c["times"], c["values"]) for c in robot["controllers"]]
    return data, wanted


def centres(model, data, names):
    """Centres of mass of the soft bodies: each vertex has a share of its tetrahedra's mass, as its body has."""
    out = {}
    for f, name in enumerate(names):
        first, n = model.flex_vertadr[f], model.flex_vertnum[f]
        mass = model.body_mass[model.flex_vertbodyid[first : first + n]]
        out[name] = [float(x) for x in mass @ data.flexvert_xpos[first : first + n] / mass.sum()]
    return out


def run(scene, work):
    model, spec = model_of(scene, work)
    data, wanted = start(model, spec)
    names = [d["name"] for d in spec["deformables"]]
    cpu, counts, samples = 0.0, [], []
    for k in range(round(spec["options"]["duration"] / spec["options"]["dt"])):
        for actuator, times, values in wanted:
            data.ctrl[actuator] = np.interp(data.time, times, values)
        begin = time.process_time()
        mujoco.mj_step(model, data)
        cpu += time.process_time() - begin
        counts.append(data.ncon)
        samples.append({"time": float(data.time), **centres(model, data, names)})
    warnings = {mujoco.mjtWarning(i).name: int(w.number) for i, w in enumerate(data.warning) if w.number}
    error = None if np.isfinite(data.qpos).all() else "not finite"
    return {"ms": 1e3 * cpu / len(counts), "steps": len(counts), "contacts": float(np.mean(counts)), "samples": samples, "error": error,
            "warnings": warnings}


def run_rigid(path, steps):
    """Hinges and slides start at 0.1, as in bench/rigid; free bodies where the file puts them."""
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    if model.nq == model.nv:
        data.qpos[:] = 0.1
    begin = time.process_time()
    mujoco.mj_step(model, data, nstep=steps)
    return {"ms": 1e3 * (time.process_time() - begin) / steps, "steps": steps, "contacts": int(data.ncon), "samples": [], "error": None}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("scene")
    ap.add_argument("report")
    ap.add_argument("--work", default=".")
    ap.add_argument("--steps", type=int)
    a = ap.parse_args()
    json.dump(run_rigid(a.scene, a.steps) if a.steps else run(a.scene, a.work), open(a.report, "w"))


if __name__ == "__main__":
    main()
