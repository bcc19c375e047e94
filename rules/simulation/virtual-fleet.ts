/**
 * Turns a fleet file into the snapshot at the start, and into the future durations that only the simulation
 * knows.
 */
import { movesElsewhere } from '../cloud/departure';
import { misfitsAmong } from '../cloud/misfits';
import { ownGroupAlone, type WorkedOutLimits, workOutLimits } from '../constraints/work-out-limits';
import type { Action, Fleet, Host, Instance, Limited } from '../decisions/fleet/fleet';
import { defaultActionOf } from '../questions/action-by-answer';
import { type FileFleet, type FleetInstance, serverGroupsOf } from './file-fleet';
import { simulatedActions } from './simulated-actions';
import { needsOf, offersOf, simulatedAmounts, simulatedWhyNot } from './simulated-classes';
import type { Times } from './times';

export const simulatedSessionId = '00000000-0000-4000-8000-000000000000';

const toMs = (seconds: number): number => Math.ceil(Number((seconds * 1000).toFixed(3)));

const plannedHostOf = (host: FileFleet['hosts'][number]): Host => ({
  name: host.name,
  type: host.type,
  isCompute: host.isCompute,
  amounts: simulatedAmounts(host),
  offers: offersOf(host),
  enabled: host.enabled,
  expectedMaintenanceSeconds: host.maintenanceSeconds,
  ...(host.maintain && {
    work: {
      sessionId: simulatedSessionId,
      phase: 'waiting',
      disabled: false,
      disabledBefore: !host.enabled,
      announced: false,
      releases: 0,
    },
  }),
});

export const isAction = (text: string): text is Action =>
  simulatedActions.migrationTypes.some((action) => action === text);

const instanceOf = (instance: FleetInstance, limited: Limited): Instance => {
  const { constraints } = instance;
  const migrationType = constraints && isAction(constraints.migrationType) ? constraints.migrationType : undefined;
  return {
    id: instance.instanceId,
    name: instance.instanceName,
    projectId: instance.projectId,
    host: instance.host,
    amounts: simulatedAmounts(instance),
    needs: needsOf(instance),
    ...limited,
    departure: movesElsewhere,
    defaultAction: defaultActionOf(simulatedActions, migrationType),
    ...(migrationType && { migrationType }),
    ...(constraints && {
      leadTimeSeconds: constraints.leadTime,
      resourceMitigation: constraints.resourceMitigation,
    }),
  };
};

/** All hosts with `maintain` wait in one session, and the file's constraints are stored. */
export const asPlanned = (fleet: FileFleet): Fleet => {
  const { groups, limitedOf } = limitsIn(fleet);
  const instances = fleet.instances.map((instance) =>
    instanceOf(instance, limitedOf.get(instance.instanceId) ?? ownGroupAlone(instance.instanceId)),
  );
  const hosts = fleet.hosts.map(plannedHostOf);
  return {
    hosts,
    groups,
    instances,
    claims: [],
    misfits: misfitsAmong({ hosts, instances }, { whyNot: simulatedWhyNot }),
  };
};

const limitsIn = (fleet: FileFleet): WorkedOutLimits =>
  workOutLimits({
    instances: fleet.instances,
    memberships: fleet.instances.flatMap(({ instanceId, constraints }) =>
      constraints ? [{ instanceId, groupId: constraints.groupId }] : [],
    ),
    storedGroups: fleet.groups,
    serverGroups: serverGroupsOf(fleet),
  });

/** The times from the file. */
export const timesOf = ({ hosts, instances }: FileFleet): Times => {
  const maintenanceMs = new Map(hosts.map(({ name, maintenanceSeconds }) => [name, toMs(maintenanceSeconds)]));
  const moveMs = new Map(instances.map(({ instanceId, moveSeconds }) => [instanceId, toMs(moveSeconds)]));
  const answerMs = new Map(
    instances.map(({ instanceId, readySeconds }) => [instanceId, readySeconds == null ? null : toMs(readySeconds)]),
  );
  return {
    maintenanceMs: ({ name }) => maintenanceMs.get(name) ?? 0,
    moveMs: ({ id }) => moveMs.get(id) ?? 0,
    answerMs: ({ id }) => answerMs.get(id) ?? null,
  };
};
