/** A session, played once in virtual time from the facts of a plan. */
import { impactShareIn } from '../../decisions/both-workflows/built-in-workflow';
import { endingOnHosts } from '../../decisions/both-workflows/wait-for-ends';
import type { Fleet, Host, Instance, SessionState } from '../../decisions/fleet/fleet';
import { seenThrough } from '../../decisions/fleet/seen-through';
import { withDefaultImpact } from '../../decisions/limits/default-impact';
import { scaleInNeed } from '../../decisions/scale-in/scale-in-need';
import { expectedTimes, withExpectedMaintenance } from '../../expectations/expected-times';
import { actionOf } from '../../questions/action-by-answer';
import { actsOnSilence } from '../../questions/reply-policy';
import type { WholeState } from '../../terms/moves-by-terms';
import type { Ending, EnteredState, PassedPause, PlayedSteering, SessionToPlay } from '../session-to-play';
import type { HostLeftOut } from '../virtual-hosts';
import { VirtualSessions } from '../virtual-sessions';
import { type ExpectedPace, expectedPace, type Pace, secondsOfOnce } from './expected-pace';
import { mayBeginAtMs, playedWindowsOf } from './opening-times';
import type { PlanInput, PlannedQuestion, PlannedSteering, SessionInPlan } from './plan';
import { type Course, readCourse } from './read-course';

/** The facts, with what is worked out of them once for all plays. */
export interface Scene {
  readonly input: PlanInput;
  readonly session: SessionInPlan;
  /** The fleet, with the impact that groups without constraints have by default. */
  readonly fleet: Fleet;
  readonly own: readonly Host[];
  /** Projects with instances on the session's hosts that are told of the session as a whole. */
  readonly projectIds: readonly string[];
}

/** @throws RangeError where the session is not among those of the facts */
export const sceneOf = (input: PlanInput): Scene => {
  const session = input.sessions.find(({ sessionId }) => sessionId === input.sessionId);
  if (!session) throw new RangeError(`session ${input.sessionId} is not among those to plan`);
  const share = impactShareIn({ workflow: session.worksLike, rolling: null }, session.limits.defaultImpactShare);
  const limited = withDefaultImpact(withExpectedMaintenances(input), share);
  const fleet = seenThrough(limited, [endingOnHosts(limited, input.nowMs)]);
  const own = fleet.hosts.filter(({ work }) => work?.sessionId === session.sessionId);
  const names = new Set(own.map(({ name }) => name));
  const told = fleet.instances.filter(({ host, isQuiet }) => names.has(host) && !isQuiet);
  const projectIds = new Set(told.map(({ projectId }) => projectId));
  return { input, session, fleet, own, projectIds: [...projectIds].sort() };
};

/** The fleet as the sessions see it: with an expected time for each maintenance, also where the cloud tells none. */
const withExpectedMaintenances = ({ fleet, sessions, seen, usual }: PlanInput): Fleet => {
  const expectedBy = new Map(
    sessions.map(({ sessionId, actions }) => [sessionId, expectedTimes(seen, usual, actions)]),
  );
  const unknown = expectedTimes(seen, usual);
  const hosts = fleet.hosts.map((host) => {
    if (!host.work) return host;
    return withExpectedMaintenance(host, expectedBy.get(host.work.sessionId) ?? unknown);
  });
  return { ...fleet, hosts };
};

/**
 * Nobody knows an answer before it comes: a plan supposes that a project chooses the action of its terms, or else the
 * one in its constraints.
 */
const expectedAnswer = ({ id, migrationType, byTerms }: Instance) => {
  const action = byTerms === undefined ? migrationType : byTerms.action;
  return { answer: 'ACK' as const, instanceActions: action === undefined ? {} : { [id]: action } };
};

export interface Played {
  readonly beginsAtMs: number;
  /** The time when it is over, or stops without coming to its end. */
  readonly endsAtMs: number;
  readonly ending: Ending;
  readonly course: Course;
  readonly firstRound: Round;
  readonly lastRound: Round;
  readonly states: readonly EnteredState[];
  /** Hosts of the session that it goes on without. */
  readonly leftOut: readonly HostLeftOut[];
  readonly pauses: readonly PassedPause[];
  /** The most members of each group that are impacted at once, by the key of the group. */
  readonly mostImpacted: ReadonlyMap<string, number>;
  readonly fleetAtEnd: Fleet;
}

export const play = (scene: Scene, pace: Pace): Played => playAt(scene, paceOf(scene, pace));

export const paceOf = ({ input, session }: Scene, pace: Pace): ExpectedPace => {
  const replyPolicy = session.steering?.replyPolicy ?? null;
  return expectedPace({ ...input, actions: session.actions, actsOnSilence: actsOnSilence(replyPolicy) }, pace);
};

/** @param times those that everything takes */
export const playAt = (scene: Scene, times: ExpectedPace): Played => {
  const { input, session, fleet } = scene;
  const asked = { askedAtMs: whenOpen(session, session.stateEnteredAtMs), state: 'MAINTENANCE' } as const;
  const firstRound = session.state === 'MAINTENANCE' ? roundOf(scene, times, asked) : noRound(input.nowMs);
  const beginsAtMs = beginOf(session, Math.max(input.nowMs, firstRound.endsAtMs));
  const sessions = new VirtualSessions({
    fleet,
    startMs: input.nowMs,
    sessions: input.sessions.map((one) => toPlay(one, one === session ? beginsAtMs : beginOf(one, input.nowMs))),
    times,
    replySeconds: input.replySeconds,
    expected: expectedTimes(input.seen, input.usual),
    actionOf: (instance, admitted, isAnswered) =>
      isAnswered ? actionOf({ id: instance.id, defaultAction: admitted }, expectedAnswer(instance)) : admitted,
    claimedAtMs: input.claimedAtMs,
    scaleInMs: (sessionId, atScaleIn) => scaleInMsOf(input, sessionId, atScaleIn),
  });
  const ending = sessions.runUntilEndOf(session.sessionId);
  const { world } = sessions;
  const lastRound = ending.kind === 'complete' ? closingOf(scene, times, world.nowMs) : noRound(world.nowMs);
  const states = sessions.statesOf(session.sessionId);
  return {
    beginsAtMs,
    endsAtMs: lastRound.endsAtMs,
    ending,
    firstRound,
    lastRound,
    states,
    course: readCourse({ input, own: scene.own, trace: world.trace, states, times, atEnd: world.model.hostByName }),
    leftOut: sessions.hosts.leftOut.filter(({ hostname }) => scene.own.some(({ name }) => name === hostname)),
    pauses: sessions.pausesOf(session.sessionId),
    mostImpacted: world.mostImpacted,
    fleetAtEnd: world.model.snapshot(),
  };
};

const whenOpen = ({ steering }: SessionInPlan, atMs: number): number => mayBeginAtMs(steering?.calendar, atMs);

/** `pre` plug-ins come first; of a session that has begun, they have run or are running. */
const beginOf = (session: SessionInPlan, fromMs: number): number => {
  if (session.isBegun) return whenOpen(session, fromMs);
  const startMs = whenOpen(session, Math.max(fromMs, session.maintenanceAtMs));
  return whenOpen(session, startMs + secondsOfOnce(session.actions, 'pre') * 1000);
};

/** Asks every project that could free capacity once in each round. Each has its whole window, unless terms answer. */
export const scaleInMsOf = (
  { scaleIn, answeredAtOnce }: Pick<PlanInput, 'scaleIn' | 'answeredAtOnce'>,
  sessionId: string,
  fleet: Fleet,
): number => {
  const need = scaleIn && scaleInNeed(fleet, sessionId);
  if (!need) return 0;
  const waitedFor = need.projectIds.filter((id) => answeredAtOnce?.SCALE_IN.includes(id) !== true);
  return 1000 * scaleIn.rounds * scaleIn.replySeconds * waitedFor.length;
};

/** The capacity that projects were asked for in SCALE_IN may be free by now: such a session looks anew as well. */
const looksFirst: ReadonlySet<SessionState> = new Set(['MAINTENANCE', 'SCALE_IN']);

const toPlay = ({ state, steering, ...session }: SessionInPlan, beginsAtMs: number): SessionToPlay => ({
  ...session,
  beginsAtMs,
  ...(!looksFirst.has(state) && { state }),
  ...(steering && { steering: playedSteering(steering) }),
});

const playedSteering = ({ calendar, replyPolicy, lastNack: _, ...steering }: PlannedSteering): PlayedSteering => ({
  ...steering,
  ...(calendar && { windows: playedWindowsOf(calendar) }),
  ...replyPolicy,
});

/** A question to every project at once. */
interface Round {
  readonly questions: readonly PlannedQuestion[];
  readonly endsAtMs: number;
}

const noRound = (endsAtMs: number): Round => ({ questions: [], endsAtMs });

const roundOf = (
  { input, projectIds }: Scene,
  times: ExpectedPace,
  { askedAtMs, state }: { readonly askedAtMs: number; readonly state: Exclude<WholeState, 'SCALE_IN'> },
): Round => {
  const windowSeconds = input.replySeconds;
  const atOnce = new Set(input.answeredAtOnce?.[state]);
  const answers = projectIds.map((id) =>
    atOnce.has(id) ? 0 : (times.projectAnswerMs(id, windowSeconds) ?? windowSeconds * 1000),
  );
  return {
    questions: projectIds.map((projectId) => ({
      projectId,
      state,
      askedAtMs,
      windowSeconds,
      isAnswered: atOnce.has(projectId) || !times.isSilent(projectId),
    })),
    endsAtMs: askedAtMs + Math.max(0, ...answers),
  };
};

/** `post` plug-ins run, then projects are asked to scale back; a session that is there already has asked them. */
const closingOf = (scene: Scene, times: ExpectedPace, rolledAtMs: number): Round => {
  const { session, input } = scene;
  const fromMs = session.state === 'MAINTENANCE_COMPLETE' ? session.stateEnteredAtMs : rolledAtMs;
  const askedAtMs = whenOpen(session, whenOpen(session, fromMs) + secondsOfOnce(session.actions, 'post') * 1000);
  const round = roundOf(scene, times, { askedAtMs, state: 'MAINTENANCE_COMPLETE' });
  return { ...round, endsAtMs: Math.max(input.nowMs, round.endsAtMs) };
};
