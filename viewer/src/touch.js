// touch.js: bodies are pulled with the mouse, a finger or the keyboard: a grab, a moving target, a drop.
import {Plane, Vector3} from 'three';

export class Touch {
  // onSelect(item) when a body is clicked
  constructor(stage, link, onSelect) {
    this.stage = stage;
    this.link = link;
    this.onSelect = onSelect;
    this.bodies = null;
    this.plane = new Plane();
    this.target = new Vector3();
    this.active = false;
    this.enabled = true;
    const {canvas} = stage;
    canvas.addEventListener('pointerdown', e => this.down(e), {capture: true});
    canvas.addEventListener('pointermove', e => this.move(e));
    for (const kind of ['pointerup', 'pointercancel', 'lostpointercapture']) canvas.addEventListener(kind, () => this.drop());
  }

  movable(item) {
    if (item.kind === 'deformable') return true;
    const {body} = item.shape;
    return body >= 0 && !this.bodies.scene.bodies[body].fixed;
  }

  down(event) {
    if (event.button !== 0 || !this.bodies || event.shiftKey) return;
    const hit = this.bodies.hit(this.stage.ray(event));
    if (!hit) return;
    this.onSelect(hit.item);
    if (!this.enabled || !this.movable(hit.item)) return;
    // the hand moves in the plane through the point that faces the camera
    this.plane.setFromNormalAndCoplanarPoint(this.stage.camera.getWorldDirection(new Vector3()), hit.point);
    this.begin(hit.item, hit.index, hit.point);
    this.stage.controls.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
  }

  begin(item, index, point) {
    this.active = true;
    this.target.copy(point);
    this.link.send('grab', item.side, index, ...point.toArray());
  }

  move(event) {
    if (!this.active || this.byKeys) return;
    if (this.stage.ray(event).ray.intersectPlane(this.plane, this.target)) this.sent = false;
  }

  // Once per picture, not once per event.
  tick() {
    if (!this.active || this.sent) return;
    this.sent = true;
    this.link.send('drag', ...this.target.toArray());
  }

  drop() {
    if (!this.active || this.byKeys) return;
    this.release();
  }

  release() {
    this.active = this.byKeys = false;
    this.stage.controls.enabled = true;
    this.link.send('drop');
  }

  // By keyboard: grabs or releases the selected body; arrows move the hand.
  toggleByKeys() {
    if (this.active) return this.release();
    const item = this.bodies?.selected;
    if (!item?.object || !this.enabled || !this.movable(item)) return;
    const {centre} = this.bodies.place(item);
    this.begin(item, item.kind === 'deformable' ? this.bodies.nearest(item, centre) : 0, centre);
    this.byKeys = true;
  }

  nudge(right, forward, rise) {
    const view = this.stage.camera.getWorldDirection(new Vector3()).setZ(0).normalize();
    const side = new Vector3().crossVectors(view, new Vector3(0, 0, 1)), s = 0.03 * this.stage.radius;
    this.target.addScaledVector(side, right * s).addScaledVector(view, forward * s);
    this.target.z += rise * s;
    this.sent = false;
  }
}
