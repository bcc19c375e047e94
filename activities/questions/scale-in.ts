/** Asks projects to free capacity (SCALE_IN). */
import { databaseNow, type Transaction } from '../../prisma/database';
import { findSessionHosts } from '../../prisma/hosts/session-hosts';
import { lockProjectQuestions } from '../../prisma/questions/question-rounds';
import { findEntryPoint } from '../../prisma/session/entry-points';
import { noteReasons } from '../../prisma/session/noted-reasons';
import { changeSession, type SessionProgress } from '../../prisma/session/session-progress';
import { isAnyHostPassing, isAnyRefusalPassing } from '../../rules/decisions/both-workflows/deadlock';
import { hostsToDo } from '../../rules/decisions/both-workflows/failed-controller';
import { fleetOfSession } from '../../rules/decisions/both-workflows/fleet-of-session';
import type { Fleet } from '../../rules/decisions/fleet/fleet';
import { isStarting } from '../../rules/decisions/fleet/host-work';
import { asOwned, ifTheseFail } from '../../rules/decisions/fleet/set-aside-or-fail';
import { FleetModel } from '../../rules/decisions/model/fleet-model';
import { mostHelpful } from '../../rules/decisions/scale-in/most-helpful';
import { type ScaleInNeed, scaleInNeed, whyNotDrained } from '../../rules/decisions/scale-in/scale-in-need';
import { stateAfterLook, stateAfterScaleIn } from '../../rules/decisions/scale-in/when-to-scale-in';
import { replyWindowOfSession } from '../../rules/questions/reply-window';
import {
  type ScaleInInput,
  type ScaleInRecord,
  type ScaleInStep,
  scaleInStep,
} from '../../rules/questions/scale-in-round';
import { needReason } from '../../rules/questions/scale-in-words';
import { holdBackScaleIn } from '../../rules/questions/while-paused';
import type { Reason } from '../../rules/reasons/reason';
import { fleetOfCanary } from '../../rules/steering/canary-of';
import { withoutHeldByCloud } from '../../rules/steering/held-by-cloud';
import { mayBegin, untilOpenMs } from '../../rules/steering/may-begin';
import { withoutNeverReleased } from '../../rules/steering/put-off';
import { toldBy, type ToldByCloud } from '../../rules/terms/told-terms';
import { readFleet } from '../../snapshot/read-fleet';
import { shownProjects } from '../../temporal/workflow-messages';
import { lookForSession } from '../decisions/look-for-session';
import { withoutHostsThatFitNowhere } from '../decisions/maintenance-window-now';
import { setHostsAside } from '../hosts/set-hosts-aside';
import type { Services } from '../services';
import { inSession } from '../session/run-in-force';
import { tellOfDeadline } from '../session/tell-deadline';
import { askOne } from './ask';
import { closeUnanswered } from './end-questions';
import { readWithReplyWindowsOpened } from './open-reply-windows';
import type { StateRef } from './state-ref';

export interface ScaledIn {
  readonly next?: string;
  readonly failure?: string;
  readonly lookAgainMs: number;
  readonly awaitedProjects: readonly string[];
}

/** SCALE_IN: asks one project after the other to free capacity, until a host can be drained. */
export const scaleIn = async (services: Services, ref: StateRef): Promise<ScaledIn> => {
  const first = await scaleInOnce(services, ref);
  if (!first.asked) return first;
  await services.publisher.publish(ref.sessionId);
  return scaleInOnce(services, ref);
};

interface ScaleInLook extends ScaledIn {
  readonly asked: boolean;
}

const scaleInOnce = async (services: Services, ref: StateRef): Promise<ScaleInLook> => {
  const snapshot = await lookForSession(services, ref);
  return inSession(services, ref, async (tx, session) => {
    const now = await databaseNow(tx);
    const seen = fleetOfSession(session, await readFleet(tx, snapshot, { now, ...services.limits }));
    const ofCanary = fleetOfCanary(session, seen, now);
    const inWindows = await withoutHostsThatFitNowhere(services, tx, { session, fleet: ofCanary, now });
    const fleet = withoutNeverReleased(withoutHeldByCloud(inWindows), session.id, now.getTime());
    const questions = await readWithReplyWindowsOpened(services, tx, () =>
      lockProjectQuestions(tx, { sessionId: session.id, state: 'SCALE_IN' }),
    );
    const need = scaleInNeed(fleet, session.id);
    const due = scaleInStep({
      need,
      mayComeByItself: mayComeByItself(fleet, session.id, now),
      questions,
      mostHelpful: (projectIds) => mostHelpful(fleet, session.id, projectIds),
      ...roundsOf(session),
      mostRounds: services.limits.scaleInRounds,
      nowMs: now.getTime(),
    });
    await tellOfDeadline(services, tx, { session, now, fleet });
    const step = mayBegin(session, now) ? due : holdBackScaleIn(due, untilOpenMs(session, now));
    // Once PLANNED_MAINTENANCE was entered, the rolling work continues, also after a continuation. Until then the look
    // decides.
    const isRolling = (await findEntryPoint(tx, session.id, 'PLANNED_MAINTENANCE')) !== null;
    const next = () => stateAfterScaleIn(isRolling, () => stateAfterLook(fleet, session.id));
    const obstacle = need && whyNotDrained(fleet, need.host);
    await noteReasons(tx, { sessionId: session.id, now }, need ? reasonsOf(fleet, session.id, need) : []);
    const { projects: toldOfProjects } = toldBy(snapshot.instances);
    const turn = { services, tx, session, step, next, fleet, isRolling, now, toldOfProjects };
    return carryOut({ ...turn, ...(obstacle && { obstacle }) });
  });
};

/** A host is starting, or what keeps instances away from one that has the room is about to pass. */
const mayComeByItself = (fleet: Fleet, sessionId: string, now: Date): boolean => {
  const model = new FleetModel(fleet);
  const todo = hostsToDo(model, model.hostsOf(sessionId));
  if (fleet.hosts.some(isStarting) || isAnyHostPassing(model, todo)) return true;
  return isAnyRefusalPassing({ model, nowMs: now.getTime() }, todo);
};

const roundsOf = (session: SessionProgress): Pick<ScaleInInput, 'rounds' | 'roundAtMs' | 'least'> => {
  const { scaleInRounds: rounds, scaleInRoundAt, scaleInHostsLeft: hostsLeft, scaleInShare: share } = session;
  return {
    rounds,
    ...(scaleInRoundAt !== null && { roundAtMs: scaleInRoundAt.getTime() }),
    ...(hostsLeft !== null && share !== null && { least: { hostsLeft, share } }),
  };
};

interface ScaleInTurn {
  readonly services: Services;
  readonly tx: Transaction;
  readonly session: SessionProgress;
  readonly step: ScaleInStep;
  readonly next: () => string;
  readonly fleet: Fleet;
  readonly isRolling: boolean;
  readonly now: Date;
  /** Terms that the cloud tells of projects as a whole. */
  readonly toldOfProjects: ToldByCloud['projects'];
  /** The exact reasons why the host that needs the least cannot be drained. */
  readonly obstacle?: string;
}

/** All hosts that wait lack at least as much. */
const reasonsOf = (fleet: Fleet, sessionId: string, need: ScaleInNeed): readonly Reason[] =>
  fleet.hosts
    .filter(({ work }) => work?.sessionId === sessionId && work.phase === 'waiting')
    .map(({ name }) => needReason(need, name));

const carryOut = async (turn: ScaleInTurn): Promise<ScaleInLook> => {
  const { services, tx, session, step, next, obstacle } = turn;
  const result = { asked: false, lookAgainMs: 1, awaitedProjects: [] };
  await closeUnanswered(services, tx, step.close);
  switch (step.kind) {
    case 'done':
      return { ...result, next: next() };
    case 'failed':
      return {
        ...result,
        ...(await giveUp(turn, obstacle === undefined ? step.because : `${step.because}; ${obstacle}`)),
      };
    case 'wait':
      return { ...result, lookAgainMs: step.lookAgainMs, awaitedProjects: shownProjects(step.projectIds) };
    case 'ask': {
      await recordRound(turn, step.record);
      const windowSeconds = replyWindowOfSession('SCALE_IN', services.limits);
      const instanceIds = step.instanceId === undefined ? [] : [step.instanceId];
      const question = { projectId: step.projectId, instanceIds, windowSeconds };
      await askOne(services, tx, {
        ...{ session, toldOfProjects: turn.toldOfProjects },
        question: { ...question, allowedActions: ['OWN_ACTION'] },
      });
      return { ...result, asked: true, awaitedProjects: [step.projectId] };
    }
  }
};

/** No remaining host can be drained: the session goes on without them where `max_failed_hosts` allows that. */
const giveUp = async (
  { services, tx, session, fleet, isRolling }: ScaleInTurn,
  failure: string,
): Promise<Pick<ScaleInLook, 'next' | 'failure'>> => {
  const model = new FleetModel(fleet);
  const own = model.hostsOf(session.id);
  const failing = hostsToDo(model, own).map(({ name: hostname }) => ({
    hostname,
    failure: `host ${hostname} cannot be drained: ${failure}`,
  }));
  const outcome = ifTheseFail(asOwned(own), failing, session.maxFailedHosts ?? 0);
  if ('failure' in outcome) return { failure };
  await setHostsAside(services, { tx, session, hosts: await findSessionHosts(tx, session.id) }, outcome.setAside);
  return { next: stateAfterScaleIn(isRolling, () => 'START_MAINTENANCE') };
};

const recordRound = async ({ tx, session, now }: ScaleInTurn, record: ScaleInRecord): Promise<void> => {
  const { rounds, newRound, least } = record;
  await changeSession(tx, session.id, {
    scaleInRounds: rounds,
    ...(newRound && { scaleInRoundAt: now }),
    scaleInHostsLeft: least.hostsLeft,
    scaleInShare: least.share,
  });
};
