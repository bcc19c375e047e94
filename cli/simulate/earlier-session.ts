/** Reads the trace of an earlier session, so that decisions can expect what its hosts took then. */
import { readFile } from 'node:fs/promises';
import { keyOf } from '../../rules/cloud/id';
import type { SeenTimes } from '../../rules/expectations/expected-times';
import type { FileFleet } from '../../rules/simulation/file-fleet';
import { seenInTrace } from '../../rules/simulation/seen-in-trace';
import type { TraceEvent } from '../../rules/simulation/simulate';

export interface EarlierSession {
  readonly seen: SeenTimes;
  /** Whole sentences for the user: what of the trace is not used, and what it does not tell. */
  readonly remarks: readonly string[];
}

/** @throws Error where the file is no trace, or tells nothing about the fleet */
export const readEarlierSession = async (file: string, fleet: FileFleet): Promise<EarlierSession> => {
  const trace = parseTrace(file, await textOf(file));
  const seen = seenInTrace(trace, fleet);
  if (seen.maintenances.length === 0) throw new Error(whyNothingIsSeen(file, trace, fleet));
  return { seen, remarks: remarksOn(trace, fleet, seen).map((remark) => `${file}: ${remark}`) };
};

const textOf = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`trace ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
};

/** @throws Error that names the file and the line */
export const parseTrace = (file: string, text: string): TraceEvent[] => {
  const events: TraceEvent[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const event = eventIn(line);
    const problem = typeof event === 'string' ? event : problemAfter(events.at(-1), event);
    if (problem !== undefined) throw new Error(`${file} is not a trace: line ${index + 1} ${problem}`);
    if (typeof event !== 'string') events.push(event);
  }
  return events;
};

/** @returns what is wrong with the line where it is no event */
const eventIn = (line: string): TraceEvent | string => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not JSON';
  }
  return isEvent(value) ? value : 'is not an event, which has a number "t" and a text "event"';
};

const isEvent = (value: unknown): value is TraceEvent =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 't') === 'number' &&
  typeof Reflect.get(value, 'event') === 'string';

const problemAfter = (before: TraceEvent | undefined, { t }: TraceEvent): string | undefined =>
  before !== undefined && t < before.t ? `is at ${t} s, before the line above it at ${before.t} s` : undefined;

const namesIn = (trace: readonly TraceEvent[], field: 'host' | 'instance'): string[] => [
  ...new Set(trace.flatMap(({ [field]: name }) => (typeof name === 'string' ? [name] : []))),
];

const whyNothingIsSeen = (file: string, trace: readonly TraceEvent[], { name, hosts }: FileFleet): string => {
  const maintained = namesIn(
    trace.filter(({ event }) => event === 'maintenance_end'),
    'host',
  );
  if (maintained.length === 0) return `trace ${file} tells of no maintenance that ended, so nothing is learned from it`;
  const own = listed(hosts.map((host) => host.name));
  return `trace ${file} is of another fleet: its hosts are ${listed(maintained)}, those of ${name} are ${own}`;
};

const remarksOn = (trace: readonly TraceEvent[], { name, hosts, instances }: FileFleet, seen: SeenTimes): string[] => {
  const own = new Set(hosts.map((host) => host.name));
  const unknown = namesIn(trace, 'host').filter((host) => !own.has(host));
  const maintained = new Set(seen.maintenances.map(({ hostname }) => hostname));
  const unseen = hosts.filter((host) => host.maintain && !maintained.has(host.name)).map((host) => host.name);
  const instanceKeys = new Set(instances.map(({ instanceId }) => keyOf(instanceId)));
  const told = namesIn(trace, 'instance');
  const isOfOthers = told.length > 0 && !told.some((id) => instanceKeys.has(keyOf(id)));
  return [
    ...(unknown.length > 0 ? [`${name} has no ${nounFor(unknown)} ${listed(unknown)}; their times are not used`] : []),
    ...(unseen.length > 0
      ? [`it tells no time of ${nounFor(unseen)} ${listed(unseen)}, expected to take as long as hosts of their type`]
      : []),
    ...(isOfOthers ? [`${name} has none of its instances, so it may be the trace of another fleet`] : []),
  ];
};

const nounFor = ({ length }: readonly string[]): string => (length === 1 ? 'host' : `${length} hosts:`);

const namesShown = 5;

const listed = (names: readonly string[]): string => {
  const more = names.length - namesShown;
  return `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
