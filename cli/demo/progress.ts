/** A session's progress, host by host, for the demo's picture. Made only from the session's detail. */
import type { SessionDetailBody } from '../../api/schemas/session-schemas';
import { instancesOn, isMoving } from '../../rules/obstacles/on-host';
import { inWords } from '../../rules/reasons/in-words';

type DemoHost = SessionDetailBody['hosts'][number];
type WaitingInDetail = SessionDetailBody['session']['waiting'][number];

export interface HostProgress {
  readonly name: string;
  readonly phase: 'waiting' | 'draining' | 'in maintenance' | 'maintained';
  readonly instances: number;
  /** The thing that the session waits for, and the reason; empty when it waits for nothing. */
  readonly waitsFor: string;
}

export interface Progress {
  readonly state: string;
  readonly percentDone: number;
  readonly hosts: readonly HostProgress[];
}

export const progressToShow = (detail: SessionDetailBody): Progress => ({
  state: detail.state,
  percentDone: detail.percent_done,
  hosts: detail.hosts.map((host) => {
    const there = instancesOn(detail, host.hostname);
    return {
      name: host.hostname,
      phase: phaseOf(detail, host),
      instances: there.length,
      waitsFor: host.maintained ? '' : waitsFor({ detail, host, there }),
    };
  }),
});

const phaseOf = (detail: SessionDetailBody, { hostname, maintained, disabled }: DemoHost): HostProgress['phase'] => {
  if (maintained) return 'maintained';
  if (!disabled) return 'waiting';
  const isInMaintenance = detail.action_plugin_instances.some((record) => record.hostname === hostname);
  return isInMaintenance ? 'in maintenance' : 'draining';
};

interface LookAtHost {
  readonly detail: SessionDetailBody;
  readonly host: DemoHost;
  /** The instances on the host. */
  readonly there: readonly SessionDetailBody['instances'][number][];
}

const waitsFor = ({ detail, host, there }: LookAtHost): string => {
  const ids = there.map(({ instance_id }) => instance_id);
  const ofInstances = detail.session.waiting.filter(({ who }) => ids.includes(who));
  // A host under work waits for the reason of one of its instances.
  const ofHost = detail.session.waiting.filter(({ who }) => who === host.hostname);
  const reasons = host.disabled && ofInstances.length > 0 ? ofInstances : [...ofHost, ...ofInstances];
  const moving = there.filter((instance) => isMoving(detail, instance)).length;
  const counts = countEach(reasons.map(wordsFor));
  const counted = [...counts].map(([words, count]) => (count === 1 ? words : `${String(count)} × ${words}`));
  return [...(host.disabled && moving > 0 ? [`${String(moving)} moving`] : []), ...counted].join(', ');
};

const countEach = (texts: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

const wordsFor = (reason: WaitingInDetail): string => {
  const left = reason.remaining_seconds === null ? '' : ` (${String(reason.remaining_seconds)} s)`;
  return `${inWords(reason)}${left}`;
};

/** One line for each change: of the session, then of its hosts. */
export const changesBetween = (before: Progress | undefined, after: Progress): string[] => [
  ...(before?.state === after.state && before.percentDone === after.percentDone
    ? []
    : [`session ${after.state}, ${String(after.percentDone)} %`]),
  ...after.hosts.flatMap((host) => {
    const earlier = before?.hosts.find(({ name }) => name === host.name);
    const isNews = earlier === undefined ? host.phase !== 'waiting' : earlier.phase !== host.phase;
    return isNews ? [`host ${host.name} ${phaseWords(host)}`] : [];
  }),
];

const phaseWords = ({ phase, instances }: HostProgress): string =>
  phase === 'draining' ? `draining, ${String(instances)} instances` : phase;
