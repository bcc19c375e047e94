/** R1, R10, and the physics of replies: who is asked, who answers, and who puts work off. */
import type { TraceEvent } from './trace';
import { type InstanceStanding, toleranceSeconds, type World } from './world';

/** An instance's own question impacts it: its manager may take it out of service to get ready. */
export const notify = (world: World, event: TraceEvent, instance: InstanceStanding): void => {
  const { id, leadSeconds } = instance.facts;
  const isOwn = event['instances'] === undefined;
  if (isOwn && instance.move) {
    world.bad('R1', `instance ${id} is asked while it moves`);
    return;
  }
  const { lead } = event;
  instance.leave = {
    askedAt: world.t,
    leadSeconds: typeof lead === 'number' ? lead : (leadSeconds ?? 0),
    isAnswered: false,
  };
  if (!isOwn) return;
  if (world.hosts.get(instance.host)?.isDisabled === false) {
    world.bad('R5', `instance ${id} is asked though ${instance.host} is not disabled`);
  }
  world.impact(instance);
};

/** Told of what is on record; the move itself begins a little later, on the terms of now. */
export const begin = (world: World, event: TraceEvent, instance: InstanceStanding): void => {
  checkOwnerTime(world, instance);
  if (instance.facts.leadSeconds === 0) instance.leave = { askedAt: world.t, leadSeconds: 0, isAnswered: true };
  world.begin(instance, String(event['action']));
};

export const grant = (world: World, _event: TraceEvent, instance: InstanceStanding): void => {
  world.impact(instance);
};

/** A refusal gives no leave, not even in silence: it has to be asked again. */
export const reply = (world: World, event: TraceEvent, instance: InstanceStanding): void => {
  const { facts, leave } = instance;
  const ready = facts.readySeconds;
  if (!leave) world.bad('R7', `instance ${facts.id} replies unasked`);
  else if (ready === null) world.bad('R7', `instance ${facts.id} replies, and never does`);
  else if (world.t < leave.askedAt + (ready ?? 0) - toleranceSeconds) {
    world.bad('R7', `instance ${facts.id} replies within ${world.t - leave.askedAt} s, it needs ${ready ?? 0} s`);
  } else if (event['answer'] === 'NACK') instance.leave = undefined;
  else leave.isAnswered = true;
};

/** By its newest answer. */
export const putOff = (world: World, event: TraceEvent, instance: InstanceStanding): void => {
  const { seconds } = event;
  instance.notBefore = typeof seconds === 'number' ? world.t + seconds : undefined;
};

/** R10: an action begins when the owner of the instance lets it. */
export const checkOwnerTime = (world: World, { facts: { id }, notBefore = -Infinity }: InstanceStanding): void => {
  if (world.t >= notBefore - toleranceSeconds) return;
  world.bad('R10', `instance ${id} is impacted ${notBefore - world.t} s before the time that its project has set`);
};

/** An answer that was given stays good. */
export const withdraw = (world: World, _event: TraceEvent, instance: InstanceStanding): void => {
  if (instance.leave?.isAnswered !== true) instance.leave = undefined;
  if (!instance.move) world.recover(instance);
};

/** Each move needs leave: an answer, or its lead time passed in silence; and none where nothing is asked. */
export const checkLeave = (world: World, { facts, leave }: InstanceStanding): void => {
  if (facts.leadSeconds === 0) return;
  if (!leave) {
    world.bad('R1', `instance ${facts.id} moves unasked`);
    return;
  }
  const waited = world.t - leave.askedAt;
  if (leave.isAnswered || waited >= leave.leadSeconds - toleranceSeconds) return;
  world.bad(
    'R1',
    `instance ${facts.id} moves unanswered, ${waited} s after it was asked; it has ${leave.leadSeconds} s`,
  );
};
