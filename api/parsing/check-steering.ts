/** What is wrong with how a session would be steered, by the words of the interface. */
import { checkEachWindow } from '../../forms/check-window';
import type { CanaryFacts, SteeringChange } from '../../prisma/session/session-steering';
import type { CloudActions } from '../../rules/cloud/cloud-facts';
import {
  asksInstances,
  limitsAtOnce,
  type RollingSession,
} from '../../rules/decisions/both-workflows/built-in-workflow';
import type { MaintenanceWindow } from '../../rules/maintenance-windows/maintenance-window';
import { openingAt, zoneProblemOf } from '../../rules/maintenance-windows/openings';
import type { Canary } from '../../rules/steering/canary';
import type { FieldError } from '../problems/problem';

/** A session as it would be: created, or changed. */
export interface SteeringToCheck extends RollingSession {
  readonly steering: SteeringChange;
  /** The fields that the request gives; the others stay. */
  readonly given: SteeringChange;
  /** Null: it has not begun. */
  readonly begunAt: Date | null;
  readonly maintenanceAt: Date;
  /** By the clock of the database, which decides by it when the deadline has passed. */
  readonly now: Date;
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
  ...checkPostpone(session),
];

/** Only some clouds keep instances unless somebody says otherwise. */
export const checkEviction = (
  { eviction = null }: SteeringChange,
  { name, actions }: { readonly name: string; readonly actions: CloudActions },
): FieldError[] => {
  if (eviction === null || actions.hasEvictionOptions) return [];
  return [{ pointer: '/eviction', message: `must not be given for the cloud ${name}, which has no such options` }];
};

/** A deadline that has passed since it was given stands in nobody's way. */
const checkDeadline = ({ steering, given, maintenanceAt, now }: SteeringToCheck): FieldError[] => {
  const { deadline = null } = steering;
  if (deadline === null || (given.deadline === undefined && given.maintenanceAt === undefined)) return [];
  const pointer = given.deadline === undefined ? '/maintenance_at' : '/deadline';
  if (given.deadline !== undefined && deadline <= now) {
    return [
      { pointer, message: `lies in the past, ${deadline.toISOString()}; give a time after now, or leave it out` },
    ];
  }
  if (deadline > maintenanceAt) return [];
  const message = `the deadline, ${deadline.toISOString()}, must lie after maintenance_at, ${maintenanceAt.toISOString()}`;
  return [{ pointer, message }];
};

const checkPostpone = ({ given: { postpone = null }, now }: SteeringToCheck): FieldError[] => {
  if (postpone === null || !('until' in postpone) || Date.parse(postpone.until) > now.getTime()) return [];
  const message = `lies in the past, ${postpone.until}; give a time after now, or leave postpone out`;
  return [{ pointer: '/postpone/until', message }];
};

const checkStart = ({ given, begunAt }: SteeringToCheck): FieldError[] => {
  if (given.maintenanceAt === undefined || begunAt === null) return [];
  const message = `cannot be moved any more, since the session began at ${begunAt.toISOString()}; pause it, or give it windows`;
  return [{ pointer: '/maintenance_at', message }];
};

const checkWindows = (session: SteeringToCheck): FieldError[] => {
  const windows = session.steering.windows ?? [];
  const errors = checkEachWindow(windows, '/windows', session.now);
  return errors.length > 0 || windows.length === 0 ? errors : checkOver(windows, session);
};

/** Windows that were given before, and are over now, stand in the way of no other change. */
const checkOver = (
  windows: readonly MaintenanceWindow[],
  { given, begunAt, maintenanceAt, now }: SteeringToCheck,
): FieldError[] => {
  if (given.windows === undefined && given.maintenanceAt === undefined) return [];
  const from = begunAt === null && maintenanceAt > now ? maintenanceAt : now;
  // A window from before may have a zone that this API does not know; its worker tells so. Freezes may end, and do not
  // matter here.
  if (zoneProblemOf({ windows }) !== undefined || openingAt({ windows }, from) !== undefined) return [];
  return [{ pointer: '/windows', message: `must open after ${from.toISOString()}; all their dates are over by then` }];
};

/** The way in which a packaged workflow drains hosts is known only after the set-up, which checks these fields then. */
const checkHostCap = ({ steering, ...session }: SteeringToCheck, { workflows }: KnownWorkflows): FieldError[] => {
  const { workflow, rolling } = session;
  const isKnown = workflows.has(workflow) || rolling !== null;
  if (!isKnown || asksInstances(session)) return [];
  const message = `must not be given for ${workflow}, which empties one host at a time; it is for vnf`;
  return limitsAtOnce
    .filter(([name]) => (steering[name] ?? null) !== null)
    .map(([, field]) => ({ pointer: `/${field}`, message }));
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
