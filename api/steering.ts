/** How a session is steered: from the words of the interface to those of the service and back, and what is wrong. */
import { asksInstances, type RollingSession } from '../planning/rolling/ways-of-rolling';
import type { SteeredSession, Steering, SteeringChange } from '../prisma/session/session-steering';
import type { FieldError } from './problem';
import type { ChangeSessionBody, SessionChangedBody } from './schemas/steering-schemas';

/** Of a create request, or of a change; null takes a field away. */
export const steeringIn = ({ max_parallel_hosts }: ChangeSessionBody): SteeringChange => ({
  ...(max_parallel_hosts !== undefined && { maxParallelHosts: max_parallel_hosts }),
});

export const serializeSteering = ({ maxParallelHosts }: Steering) => ({
  max_parallel_hosts: maxParallelHosts,
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
];

/** Only the set-up knows how a workflow of packages goes about hosts, and checks it then. */
const checkHostCap = ({ steering, ...session }: SteeringToCheck, { workflows }: KnownWorkflows): FieldError[] => {
  const { workflow, rolling } = session;
  const isKnown = workflows.has(workflow) || rolling !== null;
  if ((steering.maxParallelHosts ?? null) === null || !isKnown || asksInstances(session)) return [];
  const message = `must not be given for ${workflow}, which empties one host at a time; it is for vnf`;
  return [{ pointer: '/max_parallel_hosts', message }];
};
