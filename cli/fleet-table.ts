/** The simulated fleet as text: one table each for its hosts, its instances and the running moves. */
import type { FleetView, HostView, InstanceView, MoveView } from '../clouds/simulated/view-fleet';
import { type Column, tableOf } from './client/render/table';

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
    ...(host.lacking.length > 0 ? [`lacks ${host.lacking.join(', ')}`] : []),
    ...(host.keepsAway.length > 0 ? [`keeps instances away by ${host.keepsAway.join(', ')}`] : []),
  ].join(', ');

const hostColumns: Column<HostView>[] = [
  { title: 'HOST', cell: ({ name }) => name },
  {
    title: 'TYPE',
    cell: ({ type, isCompute }) => (type === 'controller' && isCompute ? 'controller+compute' : type),
    mayGo: true,
  },
  { title: 'VCPUS', cell: ({ used, total }) => `${used.vcpus}/${total.vcpus}` },
  { title: 'MEMORY-GB', cell: ({ used, total }) => `${gigabytes(used.memoryMb)}/${gigabytes(total.memoryMb)}` },
  { title: 'INSTANCES', cell: ({ instances }) => String(instances), mayGo: true },
  { title: 'STATE', cell: hostState, breaks: 'at words' },
  { title: 'NOTES', cell: hostNotes, breaks: 'at words' },
];

const instanceNotes = (instance: InstanceView): string =>
  [
    ...(instance.failMoves > 0 ? [`its next ${instance.failMoves} moves fail`] : []),
    ...(instance.actsItself ? [] : ['its project never acts itself']),
    ...(instance.hiddenFrom.length > 0 ? [`hidden from ${instance.hiddenFrom.join(', ')}`] : []),
    ...(instance.wayBackOn === undefined ? [] : [`may go back to ${instance.wayBackOn}`]),
  ].join(', ');

const instanceColumns: Column<InstanceView>[] = [
  { title: 'INSTANCE', cell: ({ instanceName }) => instanceName },
  { title: 'ID', cell: ({ instanceId }) => instanceId, breaks: 'in the middle' },
  { title: 'PROJECT', cell: ({ projectId }) => projectId, breaks: 'in the middle', mayGo: true },
  { title: 'HOST', cell: ({ host }) => host },
  { title: 'VCPUS', cell: ({ vcpus }) => String(vcpus), mayGo: true },
  { title: 'MEMORY-GB', cell: ({ memoryMb }) => gigabytes(memoryMb), mayGo: true },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'NOTES', cell: instanceNotes, breaks: 'at words' },
];

const moveColumns = (names: ReadonlyMap<string, string>): Column<MoveView>[] => [
  { title: 'MOVING', cell: ({ instanceId }) => names.get(instanceId) ?? instanceId },
  { title: 'ACTION', cell: ({ action, forced }) => (forced ? `${action} (forced)` : action) },
  // The project deletes it first: its replacement has no known host yet.
  { title: 'FROM -> TO', cell: ({ source, target }) => (target === '' ? source : `${source} -> ${target}`) },
  { title: 'SINCE', cell: ({ startedAt }) => startedAt.toISOString(), mayGo: true },
];

const moves = ({ instances, movesRunning }: FleetView, columns: number): string[] => {
  if (movesRunning.length === 0) return ['No moves running.'];
  const names = new Map(instances.map((instance) => [instance.instanceId, instance.instanceName]));
  return tableOf(moveColumns(names), movesRunning, { columns });
};

/** @param columns of the terminal; a pipe has no width */
export const fleetTable = (fleet: FleetView, columns = Infinity): string => {
  if (fleet.hosts.length === 0) return 'The simulated cloud has no fleet: load one with "fleet load FILE".\n';
  const hosts = tableOf(hostColumns, fleet.hosts, { columns });
  const instances = tableOf(instanceColumns, fleet.instances, { columns });
  return [...hosts, '', ...instances, '', ...moves(fleet, columns)].map((line) => `${line}\n`).join('');
};
