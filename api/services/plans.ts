/** Plans of sessions: of one that would be created, and of what is left of one that is there. Nothing is stored. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { listDownloads } from '../../prisma/session/session-downloads';
import { keepPlan } from '../../prisma/session/session-plan';
import { findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';
import { noSteering } from '../../prisma/session/session-steering';
import { foretoldBy } from '../../rules/coming/foretold';
import type { Instance } from '../../rules/decisions/fleet/fleet';
import type { Blocker } from '../../rules/obstacles/blockers';
import type { Plan } from '../../rules/simulation/plan/plan';
import { marksOf } from '../../rules/simulation/plan/plan-marks';
import type { Planner, PlanRank } from '../../rules/simulation/plan/planner';
import { turnsIn } from '../../rules/simulation/plan/turns-in';
import { steeringIn } from '../parsing/steering';
import { plannerBusy, planTooLong } from '../problems/away-problems';
import { sessionNotFound } from '../problems/problem-catalogue';
import type { PlanBody } from '../schemas/plan-schemas';
import type { CreateSessionBody } from '../schemas/session-schemas';
import { withContacts } from '../showing/name-contacts';
import { projectNamesIn } from '../showing/name-projects';
import { serializePlan } from '../showing/serialize-plan';
import type { PlannedEnd } from '../summary/expected-end';
import { type CheckedRequest, checkRequest, type RequestRules } from './check-request';
import { deadlineMissed } from './deadline-blocker';
import { hostsNotListed } from './hosts-not-listed';
import { answersAwaited, blockersOfCloud, blockersOfRequest } from './plan-blockers';
import { instancesOf, loadPlanFacts, type PlanFacts, type PlanFactsDeps, type PlanSettings } from './plan-facts';
import type { ForetoldPlan, PlannedEnds } from './planned-ends';
import { requestOfRest, type RestOfSession } from './request-of-rest';
import type { SessionToPlan } from './session-in-plan';
import { hostsWithoutAction, standingBlockers } from './standing-blockers';

export interface PlansDeps extends RequestRules {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly planner: Planner;
  readonly settings: PlanSettings;
  readonly maxSessions: number;
  readonly logger: Logger;
  /** Told the ends of the plans that are asked for. */
  readonly ends: Pick<PlannedEnds, 'takeFrom'>;
}

export interface Plans {
  /** @throws ApiError as creating the session does, but for hosts of other sessions and too many sessions: blockers */
  ofRequest(body: CreateSessionBody): Promise<PlanBody>;
  /** @throws ApiError 404 */
  ofSession(sessionId: string): Promise<PlanBody>;
  /** Foretells a session by a plan made in the background. @throws ApiError where no plan can be made now */
  foretell(sessionId: string): Promise<ForetoldPlan>;
  /** The end of a session, also with other terms than stored ones. @throws ApiError where no plan can be made now */
  endOf(sessionId: string, termsAsIf?: PlanFactsDeps['termsAsIf']): Promise<EndOfPlan>;
}

export interface EndOfPlan {
  /** Null: by its plan the session does not end by itself. */
  readonly end: PlannedEnd;
  /** The instances on the hosts that are left. */
  readonly instances: readonly Instance[];
}

export const createPlans = (deps: PlansDeps): Plans => ({
  ofRequest: (body) => planRequest(deps, body),
  ofSession: (sessionId) => planSession(deps, sessionId),
  foretell: async (sessionId) => {
    const { facts } = await factsOfSession(deps, sessionId);
    const plan = await planInThread(deps, facts, 'background');
    keepForReport(deps, { sessionId, plan, facts });
    return partsToKeep(plan, facts);
  },
  endOf: async (sessionId, termsAsIf) => {
    const { facts } = await factsOfSession({ ...deps, ...(termsAsIf && { termsAsIf }) }, sessionId);
    const { endsAtMs: end = null } = await planInThread(deps, facts);
    return { end, instances: instancesOf({ id: sessionId }, facts.input.fleet) };
  },
});

const partsToKeep = (plan: Plan, { input }: PlanFacts): ForetoldPlan => ({
  end: plan.endsAtMs ?? null,
  foretold: foretoldBy(plan, input.nowMs),
  turns: turnsIn(plan),
});

interface PlanToKeep {
  readonly sessionId: string;
  readonly plan: Plan;
  readonly facts: PlanFacts;
}

/** Nobody waits for it. */
const keepForReport = ({ db, logger }: PlansDeps, { sessionId, plan, facts }: PlanToKeep): void => {
  void keepPlan(db, { sessionId, madeMs: facts.input.nowMs }, plan).catch((error: unknown) => {
    logger.warn({ err: error, sessionId }, 'a plan could not be kept for the report of its session');
  });
};

const planRequest = async (deps: PlansDeps, body: CreateSessionBody): Promise<PlanBody> => {
  const checked = await checkRequest(deps, body);
  const id = randomUUID();
  let planned: SessionToPlan | undefined;
  const facts = await loadPlanFacts(
    deps,
    (_tx, now) => Promise.resolve((planned = toPlan({ id, body, checked, now }))),
    checked.hosts.map(({ hostname }) => hostname),
  );
  const own = blockersOfRequest({ body, checked, facts, maxSessions: deps.maxSessions, known: deps.workflows });
  const plan = await planInThread(deps, facts);
  const ofCloud = await blockersOfCloud(deps.cloud, facts, planned?.eviction ?? null);
  const late = planned ? deadlineMissed(plan, planned, facts.input) : [];
  return show(deps, facts, {
    plan,
    blockers: [...own, ...ofCloud, ...late],
    request: requestNaming(checked, body),
  });
};

/** Names the hosts that are selected: a session that is created from the plan is about those of the plan. */
const requestNaming = ({ hosts }: CheckedRequest, { select, ...body }: CreateSessionBody): CreateSessionBody =>
  select === undefined ? body : { ...body, hosts: hosts.map(({ hostname }) => hostname) };

interface PlanRequest {
  readonly id: string;
  readonly body: CreateSessionBody;
  readonly checked: CheckedRequest;
  readonly now: Date;
}

const toPlan = ({ id, body, checked, now }: PlanRequest): SessionToPlan => {
  const { workflow, state, maintenanceAt, actions, hosts } = checked;
  return {
    ...noSteering,
    ...steeringIn(body),
    id,
    workflow,
    rolling: null,
    state,
    stateEnteredAt: now,
    maintenanceAt,
    begunAt: null,
    actions,
    drainOrder: [],
    canaryEndedAt: null,
    deadlineMissed: null,
    newHosts: hosts.map(({ hostname }) => hostname),
  };
};

interface Rest extends Pick<RestOfSession, 'download'> {
  readonly hosts: readonly SessionHostRecord[];
}

const factsOfSession = async (
  deps: PlanFactsDeps,
  sessionId: string,
): Promise<{ readonly facts: PlanFacts; readonly found: SessionProgress; readonly rest: Rest }> => {
  let found: SessionProgress | undefined;
  let rest: Rest = { hosts: [], download: [] };
  const facts = await loadPlanFacts(deps, async (tx) => {
    const session = await findSessionProgress(tx, sessionId);
    if (session === null || session.deletedAt !== null) throw sessionNotFound(sessionId);
    found = session;
    rest = {
      hosts: await findSessionHosts(tx, sessionId),
      download: (await listDownloads(tx, sessionId)).map(({ url }) => url),
    };
    return asIfItWentOn(session);
  });
  if (found === undefined) throw sessionNotFound(sessionId);
  return { facts, found, rest };
};

const planSession = async (deps: PlansDeps, sessionId: string): Promise<PlanBody> => {
  const planned = planRest(deps, sessionId);
  deps.ends.takeFrom(sessionId, planned);
  const { plan, session, facts, rest } = await planned;
  if (session.state !== 'MAINTENANCE_DONE') keepForReport(deps, { sessionId, plan, facts });
  const { hostsLeave } = deps.cloud;
  const look = { hosts: facts.facts.hosts, cloudHosts: facts.input.cloudHosts, hostsLeave };
  const blockers = [
    ...standingBlockers(session, { isPlanned: true, hosts: rest.hosts }),
    ...hostsWithoutAction({ sessionId, actions: session.actions, hosts: rest.hosts, isCreated: true }),
    ...(await answersAwaited(deps.db, session)),
    ...hostsNotListed(session, look),
    ...(session.state === 'MAINTENANCE_DONE' ? [] : await blockersOfCloud(deps.cloud, facts, session.eviction)),
  ];
  const request = requestOfRest({ session, ...rest, now: new Date(facts.input.nowMs) });
  return show(deps, facts, {
    plan,
    sessionId,
    blockers: [...blockers, ...deadlineMissed(plan, session, facts.input)],
    ...(request && { request }),
  });
};

const planRest = async (deps: PlansDeps, sessionId: string) => {
  const startedMs = performance.now();
  const { facts, found: session, rest } = await factsOfSession(deps, sessionId);
  const plan = session.state === 'MAINTENANCE_DONE' ? overSince(session) : await planInThread(deps, facts);
  return { plan, session, facts, rest, ...partsToKeep(plan, facts), costMs: performance.now() - startedMs };
};

/** A failed session is planned as it would go on if it were resumed now. */
const asIfItWentOn = (session: SessionProgress): SessionToPlan =>
  session.state === 'MAINTENANCE_FAILED'
    ? { ...session, state: session.prevState, drainOrder: [], isContinued: true }
    : session;

const overSince = ({ stateEnteredAt }: SessionProgress): Plan => {
  const ms = stateEnteredAt.getTime();
  return {
    beginsAtMs: ms,
    endsAtMs: { earliest: ms, expected: ms, latest: ms },
    states: [{ state: 'MAINTENANCE_DONE', fromMs: ms }],
    hosts: [],
    moves: [],
    questions: [],
    groups: [],
    blockers: [],
  };
};

const planInThread = async (
  { planner, logger }: PlansDeps,
  { input }: PlanFacts,
  rank: PlanRank = 'asked',
): Promise<Plan> => {
  const outcome = await planner.plan(input, rank);
  switch (outcome.kind) {
    case 'planned':
      return outcome.plan;
    case 'busy':
      throw plannerBusy();
    case 'tooLong':
      logger.warn({ hosts: input.fleet.hosts.length, seconds: outcome.seconds }, 'a plan took too long');
      throw planTooLong(outcome.seconds);
  }
};

interface ShownPlan {
  readonly plan: Plan;
  /** Blockers beside those of the plan. */
  readonly blockers: readonly Blocker[];
  readonly sessionId?: string;
  readonly request?: CreateSessionBody;
}

const show = async ({ db, cloud }: PlansDeps, { input }: PlanFacts, shown: ShownPlan): Promise<PlanBody> => {
  const { plan, blockers, ...rest } = shown;
  const named = [...plan.questions, ...plan.moves, ...plan.blockers, ...blockers];
  const projectNames = await projectNamesIn(cloud, named);
  const shownPlan = serializePlan({
    nowMs: input.nowMs,
    projectNames,
    marks: marksOf(plan, input),
    ...rest,
    plan: { ...plan, blockers: [...blockers, ...plan.blockers] },
  });
  return withContacts({ db, cloud }, shownPlan);
};
