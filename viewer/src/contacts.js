// contacts.js: contact points as discs of their area, forces as arrows: normal parts and friction apart. Also the hand's spring.
import {
  CircleGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  Quaternion, SphereGeometry, Vector3,
} from 'three';

const up = new Vector3(0, 0, 1);

// Arrows that share two meshes; length in metres.
class Arrows {
  constructor(parent, colour) {
    this.parent = parent;
    this.material = new MeshLambertMaterial({color: colour, depthTest: false, transparent: true, opacity: 0.92, emissive: colour, emissiveIntensity: 0.45});
    this.capacity = 0;
    this.grow(64);
  }

  grow(n) {
    this.parent.remove(this.shaft, this.head);
    this.shaft?.dispose();
    this.head?.dispose();
    this.capacity = n;
    const make = geometry => {
      const mesh = new InstancedMesh(geometry, this.material, n);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.renderOrder = 6;
      mesh.count = 0;
      this.parent.add(mesh);
      return mesh;
    };
    this.shaft = make(new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5));
    this.head = make(new ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5));
  }

  begin(n) {
    if (n > this.capacity) this.grow(Math.ceil(1.5 * n));
    this.n = 0;
  }

  add(from, along, width) {
    const length = along.length();
    if (length < 1e-6 * width || !Number.isFinite(length)) return;
    const q = new Quaternion().setFromUnitVectors(up, along.clone().divideScalar(length)), tip = Math.min(4.2 * width, 0.5 * length);
    const m = new Matrix4().compose(from, q, new Vector3(width, width, length - tip));
    this.shaft.setMatrixAt(this.n, m);
    const w = Math.min(2.4 * width, 0.6 * tip);
    this.head.setMatrixAt(this.n++, m.compose(from.clone().addScaledVector(along, (length - tip) / length), q, new Vector3(w, w, tip)));
  }

  end() {
    this.shaft.count = this.head.count = this.n;
    this.shaft.instanceMatrix.needsUpdate = this.head.instanceMatrix.needsUpdate = true;
  }
}

export class Contacts {
  constructor(stage) {
    this.stage = stage;
    this.root = new Group();
    stage.scene.add(this.root);
    this.normals = new Arrows(this.root, new Color(0x2f6fed));
    this.frictions = new Arrows(this.root, new Color(0xe0457b));
    this.pull = new Arrows(this.root, new Color(0xffa21f));
    this.discs = null;
    this.show = {patches: false, forces: false};
    this.largest = 0;
    this.knob = new Mesh(new SphereGeometry(1, 20, 14), new MeshBasicMaterial({color: 0xffa21f, depthTest: false, transparent: true}));
    this.knob.renderOrder = 7;
    this.knob.visible = false;
    this.root.add(this.knob);
  }

  set(which, on) {
    this.show[which] = on;
    if (this.last) this.move(this.last);
  }

  growDiscs(n) {
    if (this.discs && this.discs.instanceMatrix.count >= n) return;
    if (this.discs) this.root.remove(this.discs), this.discs.dispose();
    this.discs = new InstancedMesh(new CircleGeometry(1, 20), new MeshBasicMaterial({depthTest: false, transparent: true, opacity: 0.75, side: 2}), Math.ceil(1.5 * n) + 64);
    this.discs.frustumCulled = false;
    this.discs.renderOrder = 5;
    this.root.add(this.discs);
  }

  move(frame) {
    this.last = frame;
    const c = frame.contacts, n = frame.ncontact, r = this.stage.radius;
    let largest = 0, pressure = 0;
    for (let i = 0; i < n; i++) {
      const f = Math.hypot(c[16 * i + 6], c[16 * i + 7], c[16 * i + 8]);
      largest = Math.max(largest, f);
      pressure = Math.max(pressure, c[16 * i + 13] > 0 ? f / c[16 * i + 13] : 0);
    }
    // the longest arrow is a third of the scene; the scale follows slowly when forces fall
    this.largest = Math.max(largest, 0.97 * this.largest);
    this.drawForces(c, frame.sides, this.show.forces ? n : 0, this.largest > 0 ? 0.38 * r / this.largest : 0);
    this.drawPatches(c, this.show.patches ? n : 0, pressure);
    this.drawPull(frame);
    this.stage.touch();
  }

  // Forces are those on b; where b is fixed in the world, those on a are more telling.
  drawForces(c, sides, n, scale) {
    const width = 0.0045 * this.stage.radius;
    this.normals.begin(n);
    this.frictions.begin(n);
    for (let i = 0; i < n; i++) {
      const o = 16 * i, at = new Vector3(c[o], c[o + 1], c[o + 2]), normal = new Vector3(c[o + 3], c[o + 4], c[o + 5]);
      const sign = this.fixed?.(sides[o + 15] >> 1) ? -scale : scale;
      const force = new Vector3(c[o + 6], c[o + 7], c[o + 8]), fn = force.dot(normal);
      this.normals.add(at, normal.clone().multiplyScalar(sign * fn), width);
      this.frictions.add(at, force.addScaledVector(normal, -fn).multiplyScalar(sign), width);
    }
    this.normals.end();
    this.frictions.end();
  }

  drawPatches(c, n, pressure) {
    this.growDiscs(n);
    const least = 0.008 * this.stage.radius, m = new Matrix4(), colour = new Color();
    for (let i = 0; i < n; i++) {
      const o = 16 * i, area = c[o + 13], f = Math.hypot(c[o + 6], c[o + 7], c[o + 8]);
      const size = Math.max(least, Math.sqrt(Math.max(0, area) / Math.PI) * 0.9);
      const q = new Quaternion().setFromUnitVectors(up, new Vector3(c[o + 3], c[o + 4], c[o + 5]).normalize());
      m.compose(new Vector3(c[o], c[o + 1], c[o + 2]), q, new Vector3(size, size, size));
      this.discs.setMatrixAt(i, m);
      const x = pressure > 0 && area > 0 ? Math.min(1, f / area / pressure) : 0.5;
      this.discs.setColorAt(i, colour.setHSL(0.12 - 0.12 * x, 0.9, 0.62 - 0.14 * x));
    }
    this.discs.count = n;
    this.discs.instanceMatrix.needsUpdate = true;
    if (this.discs.instanceColor) this.discs.instanceColor.needsUpdate = true;
  }

  // The spring from the body to the hand.
  drawPull(frame) {
    const width = 0.007 * this.stage.radius;
    this.knob.visible = frame.grabbed;
    this.pull.begin(1);
    if (frame.grabbed) {
      const from = new Vector3(...frame.point), to = new Vector3(...frame.target);
      this.pull.add(from, to.clone().sub(from), width);
      this.knob.position.copy(to);
      this.knob.scale.setScalar(2.2 * width);
    }
    this.pull.end();
  }
}
