/** How a session is steered: from the words of the interface to those of the service and back, and what is wrong. */
import { asksInstances, type RollingSession } from '../planning/rolling/ways-of-rolling';
import type { SteeredSession, Steering, SteeringChange } from '../prisma/session/session-steering';
import type { FieldError } from './problem';
import type { ChangeSessionBody, SessionChangedBody } from './schemas/steering-schemas';

/** Of a create request, or of a change; null takes a field away. */
export const steeringIn = ({
  max_parallel_hosts,
  max_failed_hosts,
  failed_hosts,
}: ChangeSessionBody): SteeringChange => ({
  ...(max_parallel_hosts !== undefined && { maxParallelHosts: max_parallel_hosts }),
  ...(max_failed_hosts !== undefined && { maxFailedHosts: max_failed_hosts }),
  ...(failed_hosts !== undefined && { failedHosts: failed_hosts }),
});

export const serializeSteering = ({ maxParallelHosts, maxFailedHosts, failedHosts }: Steering) => ({
  max_parallel_hosts: maxParallelHosts,
  max_failed_hosts: maxFailedHosts,
  failed_hosts: failedHosts,
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
}

export interface KnownWorkflows {
  readonly workflows: ReadonlyMap<string, readonly string[]>;
}

/** Everything wrong at once. */
export const checkSteering = (session: SteeringToCheck, known: KnownWorkflows): FieldError[] => [
  ...checkHostCap(session, known),
  ...checkFailedHosts(session),
];

/** Only the set-up knows how a workflow of packages goes about hosts, and checks it then. */
const checkHostCap = ({ steering, ...session }: SteeringToCheck, { workflows }: KnownWorkflows): FieldError[] => {
  const { workflow, rolling } = session;
  const isKnown = workflows.has(workflow) || rolling !== null;
  if ((steering.maxParallelHosts ?? null) === null || !isKnown || asksInstances(session)) return [];
  const message = `must not be given for ${workflow}, which empties one host at a time; it is for vnf`;
  return [{ pointer: '/max_parallel_hosts', message }];
};

const checkFailedHosts = ({ steering: { maxFailedHosts, failedHosts } }: SteeringToCheck): FieldError[] => {
  if ((failedHosts ?? null) === null || (maxFailedHosts ?? 0) > 0) return [];
  const message = 'says what becomes of hosts that are set aside, so max_failed_hosts must be 1 or more';
  return [{ pointer: '/failed_hosts', message }];
};
