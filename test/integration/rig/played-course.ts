/** The course of a session that two interpreters play: its fleet, and all that happens to it. */
import type { Spread } from '../../../rules/cloud/spread';
import type { HoursInTerms } from '../../../rules/cloud/terms';
import type { BuiltInWorkflow } from '../../../rules/decisions/both-workflows/built-in-workflow';
import type { Freeze } from '../../../rules/maintenance-windows/freeze';
import type { MaintenanceWindow } from '../../../rules/maintenance-windows/maintenance-window';
import type { FileFleet } from '../../../rules/simulation/file-fleet';
import type { Canary } from '../../../rules/steering/canary';
import { rigEnvironment, rigSettings } from './rig-settings';

/** Something that others see of a session, in seconds since its beginning. */
export interface Effect {
  readonly t: number;
  readonly event: string;
  readonly of: string;
}

export interface PlayedCourse {
  readonly fleet: FileFleet;
  readonly startMs: number;
  readonly workflow: BuiltInWorkflow;
  readonly maxParallelHosts?: number;
  readonly canary?: Canary;
  readonly windows?: readonly MaintenanceWindow[];
  readonly freezes?: readonly Freeze[];
  readonly maxFailedHosts?: number;
  /** Failed hosts go back to use. */
  readonly enablesFailedHosts?: boolean;
  /** True of instances whose project refuses when it is asked about them for the first time. */
  readonly isRefusedAtFirst?: (instanceId: string) => boolean;
  /** The times before which instances are not to be impacted, in milliseconds; left out: nobody has set one. */
  readonly notBeforeMs?: ReadonlyMap<string, number>;
  /** The hours in the terms of projects, by their IDs; left out: no project has any. */
  readonly hoursOf?: ReadonlyMap<string, readonly HoursInTerms[]>;
  /** True of hosts whose plug-in fails. */
  readonly isBroken?: (hostname: string) => boolean;
  /** The spreads in which each pod counts (`k8s`). */
  readonly spreadsOf?: (instanceId: string) => readonly Spread[];
}

/** Nobody is asked for another address. */
const nowhere = { databaseUrl: 'postgresql://u:p@localhost:1/none', temporalAddress: 'localhost:1', namespace: 'none' };

/** An own action that its project carries out takes no longer. */
const longEnough = { PARLEY_OWN_ACTION_SECONDS: '100', PARLEY_NACK_RETRY_SECONDS: '2' };

export const settingsOfPlay = rigSettings(rigEnvironment(nowhere, longEnough));

/** Asked once for each question, with its instances: true when their project refuses. */
export const refusalsIn = ({ isRefusedAtFirst = () => false }: PlayedCourse) => {
  const asked = new Set<string>();
  return (instanceIds: readonly string[]): boolean => {
    const isRefused = instanceIds.some((id) => !asked.has(id) && isRefusedAtFirst(id));
    for (const id of instanceIds) asked.add(id);
    return isRefused;
  };
};
