// moving.c: live results or those of a frame.
#include "output/moving.h"

#include <string.h>

static const plMoving* recorded(const plData* data) {
  return data->work ? NULL : &((const plReplayData*)data)->moving;
}

void pl_moving_poses(const plData* data, plPose* pose) {
  const plMoving* moving = recorded(data);
  if (!moving)
    pl_shape_poses(data, pose);
  else if (data->model->nshape)
    memcpy(pose, moving->shape, (size_t)data->model->nshape * sizeof *pose);
}

plStatus pl_moving_body(const plData* data, int body, plRigidState* state) {
  const plMoving* moving = recorded(data);
  if (!moving) return pl_rigid_body_state(data, body, state);
  if (body < 0 || body >= data->model->nbody) return PL_ERROR_INPUT;
  *state = moving->body[body];
  return PL_OK;
}

void pl_moving_totals(const plData* data, plRigidTotals* totals) {
  const plMoving* moving = recorded(data);
  if (moving)
    *totals = moving->totals;
  else
    pl_rigid_totals(data, totals);
}

plStatus pl_moving_wrenches(const plData* data, plWrench* wrench) {
  const plMoving* moving = recorded(data);
  size_t size = (size_t)data->model->njoint * sizeof *wrench;
  if (!size) return PL_OK;
  if (moving) return memcpy(wrench, moving->wrench, size), PL_OK;
  plStatus status = pl_joint_wrenches(data, wrench, NULL);
  if (status == PL_ERROR_INPUT) return memset(wrench, 0, size), PL_OK;
  return status;
}
