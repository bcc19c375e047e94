/**
 * Plans a session: plays it from the facts of one moment in virtual time, with the decisions that it would really take
 * and the times that are expected: play.ts plays it, expected-pace.ts has the times, and the range of its end is worked
 * out here. Plain data in and out, so that it can be done in a thread.
 */
import type { Instance } from '../../decisions/fleet/fleet';
import { replyWindowOfInstance } from '../../questions/reply-window';
import type { BlockerFacts } from './blocker-facts';
import { blockersAtEnd } from './blockers-at-end';
import { blockersInFleet } from './blockers-in-fleet';
import { blockersOfCourse } from './blockers-of-course';
import { blockersOfSteering } from './blockers-of-steering';
import { criticalHostIn } from './critical-host';
import { expectedPace, type Pace } from './expected-pace';
import { afterOpenMs, openMsBetween } from './opening-times';
import type { Plan, PlanInput, Range } from './plan';
import { groupsIn } from './planned-groups';
import { play, type Played, type Scene, sceneOf } from './play';

/** A session of more hosts is simulated once, and the range of its end is worked out from the times alone. */
const mostHostsForRange = 150;

export const makePlan = (input: PlanInput): Plan => {
  const scene = sceneOf(input);
  const expected = play(scene, 'expected');
  const { beginsAtMs, course, firstRound, lastRound, ending, endsAtMs } = expected;
  const facts: BlockerFacts = { input, fleet: scene.fleet, ...expected };
  const inFleet = blockersInFleet(facts);
  return {
    beginsAtMs,
    ...(ending.kind === 'complete' ? { endsAtMs: rangeOf(scene, expected) } : { stopsAtMs: endsAtMs }),
    states: statesOf(scene, expected),
    hosts: course.hosts,
    moves: course.moves,
    questions: [...firstRound.questions, ...course.questions, ...lastRound.questions],
    groups: groupsIn(scene.fleet, course, expected.mostImpacted),
    ...criticalHostIn(course, { fleet: scene.fleet, fromMs: beginsAtMs }),
    blockers: [...blockersAtEnd(facts, inFleet), ...blockersOfSteering(facts), ...inFleet, ...blockersOfCourse(facts)],
  };
};

const statesOf = ({ session }: Scene, { states, ending, endsAtMs }: Played): Plan['states'] => [
  ...(session.state === 'MAINTENANCE' ? [{ state: session.state, fromMs: session.stateEnteredAtMs }] : []),
  ...states,
  ...(ending.kind === 'complete' ? [{ state: 'MAINTENANCE_DONE' as const, fromMs: endsAtMs }] : []),
];

/** The end, were everything quicker or slower than expected. */
const rangeOf = (scene: Scene, { endsAtMs, beginsAtMs }: Played): Range => {
  const [quick, slow] = (['quick', 'slow'] as const).map((pace) => {
    const played = scene.own.length > mostHostsForRange ? undefined : play(scene, pace);
    if (played?.ending.kind === 'complete') return played.endsAtMs;
    return Math.round(sooner(scene, { endsAtMs, beginsAtMs }, shareOfTimes(scene, pace)) ?? endsAtMs);
  });
  // A decision may turn out better where something took longer.
  return {
    earliest: Math.min(endsAtMs, quick ?? endsAtMs),
    expected: endsAtMs,
    latest: Math.max(endsAtMs, slow ?? endsAtMs),
  };
};

/** The end, were all its work done in that share of the time; the work goes on only while the session may begin. */
const sooner = (
  { session: { steering } }: Scene,
  { beginsAtMs, endsAtMs }: Pick<Played, 'beginsAtMs' | 'endsAtMs'>,
  share: number,
): number | undefined => {
  const calendar = steering?.calendar;
  const workMs = calendar ? openMsBetween(calendar, beginsAtMs, endsAtMs) : endsAtMs - beginsAtMs;
  return afterOpenMs(calendar, beginsAtMs, workMs * share);
};

/** How long everything takes at that pace, as a share of the expected. */
const shareOfTimes = ({ input, session, own, fleet }: Scene, pace: Pace): number => {
  const names = new Set(own.map(({ name }) => name));
  const instances = fleet.instances.filter(({ host }) => names.has(host));
  const sumAt = (one: Pace): number => {
    const times = expectedPace({ ...input, actions: session.actions }, one);
    const asked = (instance: Instance): number => {
      const windowSeconds = replyWindowOfInstance(instance, input.replySeconds);
      return times.answerMs(instance, windowSeconds) ?? windowSeconds * 1000;
    };
    const leaving = instances.map((instance) => asked(instance) + times.moveMs(instance, instance.defaultAction));
    return [...own.map(times.maintenanceMs), ...leaving].reduce((sum, ms) => sum + ms, 0);
  };
  return sumAt(pace) / Math.max(1, sumAt('expected'));
};
