/** The simulated fleet as text: one table each for its hosts, its instances and the running moves. */
import type { FleetView, HostView, InstanceView, MoveView } from '../clouds/simulated/view-fleet';
import { tableLines, type TextRow } from './text-table';

const table = (rows: readonly TextRow[]): string =>
  tableLines(rows)
    .map((line) => `${line}\n`)
    .join('');

const gigabytes = (megabytes: number): string => (megabytes / 1024).toFixed(1).replace(/\.0$/, '');

const hostState = (host: HostView): string => {
  if (host.enabled) return 'enabled';
  return host.disabledReason === undefined ? 'disabled' : `disabled (${host.disabledReason})`;
};

const hostNotes = (host: HostView): string =>
  [
    ...(host.disableFailures > 0 ? [`refuses its next ${host.disableFailures} disables`] : []),
    ...(host.isDown ? ['is down'] : []),
    ...(host.isSilent ? ['the cloud cannot tell what is on it'] : []),
  ].join(', ');

const hostRow = (host: HostView): TextRow => [
  host.name,
  host.type === 'controller' && host.isCompute ? 'controller+compute' : host.type,
  `${host.used.vcpus}/${host.total.vcpus}`,
  `${gigabytes(host.used.memoryMb)}/${gigabytes(host.total.memoryMb)}`,
  String(host.instances),
  hostState(host),
  hostNotes(host),
];

const instanceNotes = (instance: InstanceView): string =>
  [
    ...(instance.failMoves > 0 ? [`its next ${instance.failMoves} moves fail`] : []),
    ...(instance.actsItself ? [] : ['its project never acts itself']),
    ...(instance.hiddenFrom.length > 0 ? [`hidden from ${instance.hiddenFrom.join(', ')}`] : []),
    ...(instance.wayBackOn === undefined ? [] : [`may go back to ${instance.wayBackOn}`]),
  ].join(', ');

const instanceRow = (instance: InstanceView): TextRow => [
  instance.instanceName,
  instance.instanceId,
  instance.projectId,
  instance.host,
  String(instance.vcpus),
  gigabytes(instance.memoryMb),
  instance.state,
  instanceNotes(instance),
];

const moveRow = (names: ReadonlyMap<string, string>, move: MoveView): TextRow => [
  names.get(move.instanceId) ?? move.instanceId,
  move.forced ? `${move.action} (forced)` : move.action,
  // The project deletes it first: its replacement has no known host yet.
  move.target === '' ? move.source : `${move.source} -> ${move.target}`,
  move.startedAt.toISOString(),
];

const moves = ({ instances, movesRunning }: FleetView): string => {
  if (movesRunning.length === 0) return 'No moves running.\n';
  const names = new Map(instances.map((instance) => [instance.instanceId, instance.instanceName]));
  return table([['MOVING', 'ACTION', 'FROM -> TO', 'SINCE'], ...movesRunning.map((move) => moveRow(names, move))]);
};

export const fleetTable = (fleet: FleetView): string => {
  if (fleet.hosts.length === 0) return 'The simulated cloud has no fleet: load one with "fleet load FILE".\n';
  const hosts = table([
    ['HOST', 'TYPE', 'VCPUS', 'MEMORY GB', 'INSTANCES', 'STATE', 'NOTES'],
    ...fleet.hosts.map(hostRow),
  ]);
  const instances = table([
    ['INSTANCE', 'ID', 'PROJECT', 'HOST', 'VCPUS', 'MEMORY GB', 'STATE', 'NOTES'],
    ...fleet.instances.map(instanceRow),
  ]);
  return [hosts, instances, moves(fleet)].join('\n');
};
