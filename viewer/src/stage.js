// stage.js: what stands around the bodies: renderer, camera, lights, floor, themes. z points up.
import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Group, HemisphereLight, LineBasicMaterial, LineSegments, Mesh,
  PCFShadowMap, PerspectiveCamera, PlaneGeometry, Raycaster, Scene, ShaderMaterial, ShadowMaterial, Sphere, Vector2, Vector3, WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';

const themes = {
  light: {background: 0xe9edf2, floor: 0xf6f7f9, line: 0x8c97a6, sky: 0xffffff, ground: 0xc9c2b8, shadow: 0.26},
  dark: {background: 0x14171c, floor: 0x1d2127, line: 0x6b7686, sky: 0xc9d6ea, ground: 0x2c2a2b, shadow: 0.55},
};

export const presets = {
  iso: {title: 'Corner', direction: [1, -1.35, 0.75]},
  front: {title: 'Front', direction: [0, -1, 0.08]},
  side: {title: 'Side', direction: [1, 0, 0.08]},
  top: {title: 'Top', direction: [0, -0.001, 1]},
};

// Lines of the floor at every `step` and a bolder one at every tenth, fading out with the distance.
const floorShader = {
  vertexShader: `varying vec3 at;
    void main() { vec4 w = modelMatrix * vec4(position, 1.0); at = position; gl_Position = projectionMatrix * viewMatrix * w; }`,
  fragmentShader: `varying vec3 at; uniform float step, reach; uniform vec3 floorColour, lineColour; uniform float solid;
    float lines(float size, float width) {
      vec2 p = at.xy / size, d = abs(fract(p - 0.5) - 0.5), w = max(fwidth(p), vec2(1e-5));
      vec2 l = 1.0 - smoothstep(vec2(0.0), w * width, d);
      return max(l.x, l.y) * clamp(0.35 / max(w.x, w.y), 0.0, 1.0);
    }
    void main() {
      float fade = 1.0 - smoothstep(0.15, 1.0, length(at.xy) / reach);
      float l = max(0.28 * lines(step, 1.0), 0.55 * lines(10.0 * step, 1.3));
      vec3 colour = mix(floorColour, lineColour, l);
      gl_FragColor = vec4(colour, fade * mix(l, 1.0, solid));
      #include <colorspace_fragment>
    }`,
};

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true, powerPreference: 'high-performance'});
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.14;
    this.controls.addEventListener('change', () => this.touch());
    this.centre = new Vector3();
    this.radius = 1;
    this.insets = {left: 0, right: 0, top: 0, bottom: 0};
    this.dirty = true;
    this.makeLights();
    this.floors = new Group();
    this.scene.add(this.floors);
    this.floorMaterials = [];
    this.setTheme('light');
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  touch() {
    this.dirty = true;
  }

  makeLights() {
    this.hemisphere = new HemisphereLight(0xffffff, 0xcccccc, 1.1);
    this.hemisphere.position.set(0, 0, 1);
    this.key = new DirectionalLight(0xfff6ea, 1.9);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.bias = -0.0004;
    this.key.shadow.radius = 3;
    this.fill = new DirectionalLight(0xe6eeff, 0.55);
    this.scene.add(new AmbientLight(0xffffff, 0.25), this.hemisphere, this.key, this.key.target, this.fill, this.fill.target);
  }

  setTheme(name) {
    const t = this.theme = themes[name];
    this.themeName = name;
    this.scene.background = new Color(t.background);
    this.hemisphere.color.set(t.sky);
    this.hemisphere.groundColor.set(t.ground);
    this.hemisphere.intensity = name === 'dark' ? 0.85 : 1.1;
    for (const m of this.floorMaterials) this.colourFloor(m);
    this.touch();
  }

  colourFloor(m) {
    if (m.isShadowMaterial) {
      m.opacity = this.theme.shadow;
      return;
    }
    m.uniforms.floorColour.value.set(this.theme.floor);
    m.uniforms.lineColour.value.set(this.theme.line);
  }

  // The box of what there is; decides distances, shadows and the floor's lines.
  setBounds(lower, upper) {
    this.centre.set((lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, (lower[2] + upper[2]) / 2);
    this.radius = Math.max(1e-3, Math.hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]) / 2);
    const r = this.radius, camera = this.key.shadow.camera;
    this.key.position.copy(this.centre).add(new Vector3(-0.72, -0.62, 1.45).multiplyScalar(2.2 * r));
    this.key.target.position.copy(this.centre);
    this.fill.position.copy(this.centre).add(new Vector3(1.4, 0.3, 0.6).multiplyScalar(2 * r));
    this.fill.target.position.copy(this.centre);
    Object.assign(camera, {left: -1.7 * r, right: 1.7 * r, top: 1.7 * r, bottom: -1.7 * r, near: 0.2 * r, far: 9 * r});
    this.key.shadow.normalBias = 0.006 * r;
    camera.updateProjectionMatrix();
    this.camera.near = 0.01 * r;
    this.camera.far = 120 * r;
    this.controls.minDistance = 0.05 * r;
    this.controls.maxDistance = 40 * r;
    this.camera.updateProjectionMatrix();
  }

  // One plane with lines and shadows for each half space, carried by its body; a bare grid where there is none.
  makeFloors(halfSpaces, lowest, bodies) {
    this.floors.clear();
    this.floorMaterials = [];
    const list = halfSpaces.length ? halfSpaces : [{pose: [this.centre.x, this.centre.y, lowest - 0.25 * this.radius, 1, 0, 0, 0], bare: true}];
    const step = 10 ** Math.round(Math.log10(this.radius / 2.5)), reach = 9 * this.radius;
    for (const {pose, bare, body} of list) {
      const geometry = new PlaneGeometry(2 * reach, 2 * reach);
      const lines = new ShaderMaterial({...floorShader, transparent: true, depthWrite: false, side: DoubleSide, uniforms: {
        step: {value: step}, reach: {value: reach}, solid: {value: bare ? 0 : 1 - 2 * (pose[4] ** 2 + pose[5] ** 2) > 0.5 ? 1 : 0.12}, floorColour: {value: new Color()}, lineColour: {value: new Color()}}});
      const shade = new ShadowMaterial({depthWrite: false});
      const group = new Group(), plane = new Mesh(geometry, lines), shadow = new Mesh(geometry, shade);
      group.position.set(pose[0], pose[1], pose[2]);
      group.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
      plane.renderOrder = -2;
      shadow.renderOrder = -1;
      shadow.receiveShadow = true;
      shadow.position.z = 2e-4 * this.radius;
      group.add(plane, shadow);
      (body >= 0 ? bodies[body] : this.floors).add(group);
      this.floorMaterials.push(lines, shade);
    }
    this.floorMaterials.forEach(m => this.colourFloor(m));
  }

  look(name, animate = true) {
    const direction = new Vector3(...presets[name].direction).normalize();
    const distance = 1.1 * this.radius / Math.sin(this.camera.fov * Math.PI / 360) / Math.max(0.2, this.free);
    this.goTo(this.centre.clone().addScaledVector(direction, distance), this.centre.clone(), animate);
  }

  focus(centre, radius) {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const distance = 1.6 * Math.max(radius, 0.02 * this.radius) / Math.sin(this.camera.fov * Math.PI / 360);
    this.goTo(centre.clone().addScaledVector(direction, distance), centre.clone(), true);
  }

  goTo(position, target, animate) {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches || !animate;
    this.flight = {from: this.camera.position.clone(), to: position, fromTarget: this.controls.target.clone(), toTarget: target,
      begin: performance.now(), length: still ? 0 : 350};
    this.touch();
  }

  // Turns by keys: radians about z and up.
  orbit(yaw, pitch, zoom) {
    const arm = new Sphere();
    arm.center.copy(this.controls.target);
    const v = this.camera.position.clone().sub(arm.center), r = v.length() * zoom;
    const azimuth = Math.atan2(v.y, v.x) + yaw, elevation = Math.min(1.55, Math.max(-1.5, Math.asin(v.z / v.length()) + pitch));
    this.camera.position.set(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation))
      .multiplyScalar(r).add(arm.center);
    this.touch();
  }

  // Pixels at the sides that panels cover: the middle of the picture is the middle of the rest.
  setInsets(left, right, top, bottom) {
    this.insets = {left, right, top, bottom};
    this.resize();
  }

  resize() {
    const {clientWidth: w, clientHeight: tall} = this.canvas, i = this.insets;
    if (!w || !tall) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(w, tall, false);
    this.camera.aspect = w / tall;
    this.camera.setViewOffset(w, tall, (i.right - i.left) / 2, (i.bottom - i.top) / 2, w, tall);
    this.camera.updateProjectionMatrix();
    this.free = Math.min((w - i.left - i.right) / tall, (tall - i.top - i.bottom) / tall, 1);
    this.touch();
  }

  // Draws if something has changed; true if it did.
  draw() {
    if (this.flight) {
      const f = this.flight, x = f.length ? Math.min(1, (performance.now() - f.begin) / f.length) : 1, s = x * x * (3 - 2 * x);
      this.camera.position.lerpVectors(f.from, f.to, s);
      this.controls.target.lerpVectors(f.fromTarget, f.toTarget, s);
      if (x >= 1) this.flight = null;
      this.touch();
    }
    this.controls.update();
    if (!this.dirty) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  ray(event) {
    const box = this.canvas.getBoundingClientRect();
    const p = new Vector2(2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height);
    const caster = new Raycaster();
    caster.setFromCamera(p, this.camera);
    return caster;
  }
}

// Axes of frames as coloured lines; set() takes poses x y z w qx qy qz.
export class Axes {
  constructor(parent, count, length) {
    this.length = length;
    const colours = new Float32Array(18 * count);
    for (let i = 0; i < count; i++) colours.set([1, 0.25, 0.2, 1, 0.25, 0.2, 0.2, 0.75, 0.25, 0.2, 0.75, 0.25, 0.25, 0.45, 1, 0.25, 0.45, 1], 18 * i);
    const geometry = new BufferGeometry();
    this.position = new BufferAttribute(new Float32Array(18 * count), 3);
    geometry.setAttribute('position', this.position);
    geometry.setAttribute('color', new BufferAttribute(colours, 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({vertexColors: true, depthTest: false, transparent: true}));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 8;
    parent.add(this.lines);
  }

  set(i, x, y, z, w, qx, qy, qz) {
    const at = this.position.array, o = 18 * i, s = this.length;
    const columns = [[1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy + w * qz), 2 * (qx * qz - w * qy)],
      [2 * (qx * qy - w * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz + w * qx)],
      [2 * (qx * qz + w * qy), 2 * (qy * qz - w * qx), 1 - 2 * (qx * qx + qy * qy)]];
    columns.forEach((c, k) => at.set([x, y, z, x + s * c[0], y + s * c[1], z + s * c[2]], o + 6 * k));
    this.position.needsUpdate = true;
  }
}
