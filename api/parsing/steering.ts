/** How a session is steered: from the words of the interface to those of the service and back, and what is wrong. */
import type { CanaryFacts, SteeredSession, Steering, SteeringChange } from '../../prisma/session/session-steering';
import { asksInstances, type RollingSession } from '../../rules/planning/rolling/workflow-kind';
import type { ReplyPolicy } from '../../rules/questions/reply-policy';
import type { Canary } from '../../rules/steering/canary';
import type { MaintenanceWindow } from '../../rules/windows/maintenance-window';
import type { FieldError } from '../problems/problem';
import type {
  CanaryBody,
  ChangeSessionBody,
  ReplyPolicyBody,
  SessionChangedBody,
  SteeringBody,
  WindowBody,
} from '../schemas/steering-schemas';
import { parseMaintenanceAt } from './parse-maintenance-at';

/** Reads the steering of a create request or of a change; null takes a field away. */
export const steeringIn = ({
  max_parallel_hosts,
  host_start_seconds,
  max_failed_hosts,
  failed_hosts,
  reply_policy,
  canary,
  windows,
  deadline,
}: SteeringBody): SteeringChange => ({
  ...(max_parallel_hosts !== undefined && { maxParallelHosts: max_parallel_hosts }),
  ...(host_start_seconds !== undefined && { hostStartSeconds: host_start_seconds }),
  ...(max_failed_hosts !== undefined && { maxFailedHosts: max_failed_hosts }),
  ...(failed_hosts !== undefined && { failedHosts: failed_hosts }),
  ...replyPolicyIn(reply_policy),
  ...canaryIn(canary),
  ...(windows !== undefined && { windows: windows && windows.map(toWindow) }),
  ...(deadline !== undefined && { deadline: deadline === null ? null : (parseMaintenanceAt(deadline) ?? null) }),
});

/** Reads a change, which may also move the start. */
export const changeIn = (body: ChangeSessionBody): SteeringChange => {
  const maintenanceAt = body.maintenance_at === undefined ? undefined : parseMaintenanceAt(body.maintenance_at);
  return { ...steeringIn(body), ...(maintenanceAt !== undefined && { maintenanceAt }) };
};

const toWindow = ({ time_zone: timeZone, ...window }: WindowBody): MaintenanceWindow => ({ ...window, timeZone });

const replyPolicyIn = (policy: ReplyPolicyBody | null | undefined): SteeringChange =>
  policy === undefined ? {} : { replyPolicy: policy && toReplyPolicy(policy) };

const toReplyPolicy = ({ silence = 'default', last_nack: lastNack = 'fail' }: ReplyPolicyBody): ReplyPolicy => ({
  silence,
  lastNack,
});

const serializeReplyPolicy = ({ silence, lastNack }: ReplyPolicy): ReplyPolicyBody => ({
  silence,
  last_nack: lastNack,
});

const canaryIn = (canary: CanaryBody | null | undefined): SteeringChange =>
  canary === undefined ? {} : { canary: canary && toCanary(canary) };

const toCanary = ({ hosts, then = 'continue', wait_seconds: waitSeconds = 0 }: CanaryBody): Canary => ({
  hosts,
  then,
  waitSeconds,
});

const serializeCanary = ({ hosts, then, waitSeconds }: Canary): CanaryBody => ({
  hosts: typeof hosts === 'number' ? hosts : [...hosts],
  then,
  wait_seconds: waitSeconds,
});

export const serializeSteering = ({
  maxParallelHosts,
  hostStartSeconds,
  maxFailedHosts,
  failedHosts,
  replyPolicy,
  canary,
  windows,
  deadline,
}: Steering) => ({
  max_parallel_hosts: maxParallelHosts,
  host_start_seconds: hostStartSeconds,
  max_failed_hosts: maxFailedHosts,
  failed_hosts: failedHosts,
  reply_policy: replyPolicy && serializeReplyPolicy(replyPolicy),
  canary: canary && serializeCanary(canary),
  windows: windows && windows.map(serializeWindow),
  deadline: deadline && deadline.toISOString(),
});

const serializeWindow = ({ days, from, to, timeZone }: MaintenanceWindow): WindowBody => ({
  days: [...days],
  from,
  to,
  time_zone: timeZone,
});

export const serializeSteered = ({ id, state, maintenanceAt, steering }: SteeredSession): SessionChangedBody => ({
  session_id: id,
  state,
  maintenance_at: maintenanceAt.toISOString(),
  ...serializeSteering(steering),
});

/** A session as it would be: created, or changed. */
export interface SteeringToCheck extends RollingSession {
  readonly steering: SteeringChange;
  /** The fields that the request gives; the others stay. */
  readonly given: SteeringChange;
  /** Null: it has not begun. */
  readonly begunAt: Date | null;
  readonly maintenanceAt: Date;
  /** Left out of a create request, whose hosts are looked up later. */
  readonly canary?: CanaryFacts;
}

export interface KnownWorkflows {
  readonly workflows: ReadonlyMap<string, readonly string[]>;
}

/** Everything wrong at once. */
export const checkSteering = (session: SteeringToCheck, known: KnownWorkflows): FieldError[] => [
  ...checkHostCap(session, known),
  ...checkFailedHosts(session),
  ...checkCanary(session),
  ...checkWindows(session),
  ...checkStart(session),
  ...checkDeadline(session),
];

/** A deadline that has passed since it was given stands in nobody's way. */
const checkDeadline = ({ steering, given, maintenanceAt }: SteeringToCheck): FieldError[] => {
  const { deadline = null } = steering;
  if (deadline === null || (given.deadline === undefined && given.maintenanceAt === undefined)) return [];
  const pointer = given.deadline === undefined ? '/maintenance_at' : '/deadline';
  if (given.deadline !== undefined && deadline.getTime() <= Date.now()) {
    return [
      { pointer, message: `lies in the past, ${deadline.toISOString()}; give a time after now, or leave it out` },
    ];
  }
  if (deadline > maintenanceAt) return [];
  const message = `the deadline, ${deadline.toISOString()}, must lie after maintenance_at, ${maintenanceAt.toISOString()}`;
  return [{ pointer, message }];
};

const checkStart = ({ given, begunAt }: SteeringToCheck): FieldError[] => {
  if (given.maintenanceAt === undefined || begunAt === null) return [];
  const message = `cannot be moved any more, since the session began at ${begunAt.toISOString()}; pause it, or give it windows`;
  return [{ pointer: '/maintenance_at', message }];
};

/** Only the author knows whether a whole day or nothing is meant. */
const checkWindows = ({ steering }: SteeringToCheck): FieldError[] =>
  (steering.windows ?? []).flatMap(({ from, to }, index) => {
    const message = `must differ from from, ${from}; a whole day is two windows, such as 00:00 to 12:00 and 12:00 to 00:00`;
    return from === to ? [{ pointer: `/windows/${index}/to`, message }] : [];
  });

/** The way in which a packaged workflow drains hosts is known only after the set-up, which checks this field then. */
const checkHostCap = ({ steering, ...session }: SteeringToCheck, { workflows }: KnownWorkflows): FieldError[] => {
  const { workflow, rolling } = session;
  const isKnown = workflows.has(workflow) || rolling !== null;
  if ((steering.maxParallelHosts ?? null) === null || !isKnown || asksInstances(session)) return [];
  const message = `must not be given for ${workflow}, which empties one host at a time; it is for vnf`;
  return [{ pointer: '/max_parallel_hosts', message }];
};

const checkFailedHosts = ({ steering }: SteeringToCheck): FieldError[] => {
  const { maxFailedHosts, failedHosts } = steering;
  if ((failedHosts ?? null) === null || (maxFailedHosts ?? 0) > 0) return [];
  const message = 'says what becomes of hosts that are set aside, so max_failed_hosts must be 1 or more';
  return [{ pointer: '/failed_hosts', message }];
};

const checkCanary = ({ given, canary: facts }: SteeringToCheck): FieldError[] => {
  const { canary } = given;
  if (canary === undefined || canary === null) return [];
  const errors =
    facts === undefined ? [] : [...checkCanaryHosts(canary, facts.hosts), ...checkCanaryChange(canary, facts)];
  if (canary.then !== 'resume' || canary.waitSeconds === 0) return errors;
  const message = 'must be 0 or left out with resume, which waits until the session is resumed';
  return [...errors, { pointer: '/canary/wait_seconds', message }];
};

/** @param hosts of the session */
export const checkCanaryHosts = ({ hosts: wanted }: Canary, hosts: readonly string[]): FieldError[] => {
  if (typeof wanted === 'number') {
    if (wanted <= hosts.length) return [];
    return [
      { pointer: '/canary/hosts', message: `must be at most ${hosts.length}, the number of the session's hosts` },
    ];
  }
  const known = new Set(hosts);
  return wanted.flatMap((name, index) =>
    known.has(name) ? [] : [{ pointer: `/canary/hosts/${index}`, message: `${name} is not a host of the session` }],
  );
};

/** Which hosts come first can be said only before the first one has begun. */
const checkCanaryChange = (canary: Canary, { begun, before, endedAt }: CanaryFacts): FieldError[] => {
  if (endedAt !== null) {
    const message = `cannot be changed any more, since its hosts were done at ${endedAt.toISOString()}; null takes it away`;
    return [{ pointer: '/canary', message }];
  }
  if (begun.length === 0 || JSON.stringify(before?.hosts) === JSON.stringify(canary.hosts)) return [];
  const message = `cannot be changed any more, since work has begun on ${begun.slice(0, 3).join(', ')}; then and wait_seconds can`;
  return [{ pointer: '/canary/hosts', message }];
};
