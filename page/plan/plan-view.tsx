/** A plan: when it would end, what stands in the way, and the hosts over time. */
import { useMemo, useState } from 'preact/hooks';
import { withShortIds } from '../../rules/words/names';
import { count, duration } from '../../rules/words/times';
import type { Plan } from '../client/types';
import { Blockers } from '../parts/blockers';
import { EndInWords } from '../parts/end-in-words';
import { Moment } from '../parts/times';
import { rangeOf, spansExpected } from '../timeline/layout';
import { boundsOf } from '../timeline/marks';
import { hostsInOrder } from '../timeline/order';
import { Timeline } from '../timeline/timeline';
import { PlanFacts } from './plan-facts';

export const PlanView = ({ plan, atMs }: { readonly plan: Plan; readonly atMs: number }) => (
  <>
    <section class="plan-piece" aria-labelledby="plan-end">
      <h3 id="plan-end">When it would end</h3>
      <PlanEnd plan={plan} atMs={atMs} />
      <PlanFacts plan={plan} />
    </section>
    {plan.hosts.length > 0 && <PlannedHosts plan={plan} />}
    <section class="plan-piece" aria-labelledby="plan-blockers">
      <h3 id="plan-blockers">What stands in the way</h3>
      <Blockers blockers={plan.blockers} />
    </section>
    <section class="plan-piece" aria-labelledby="plan-critical">
      <h3 id="plan-critical">What makes it take that long</h3>
      <Critical plan={plan} />
    </section>
  </>
);

const PlanEnd = ({ plan, atMs }: { readonly plan: Plan; readonly atMs: number }) => {
  const { ends_at: end, seconds_left: seconds, completes, stops_at: stopsAt } = plan;
  if (plan.hosts.length === 0) return <p class="big">There is nothing to do</p>;
  if (end === null || seconds === null || !completes) {
    return (
      <>
        <p class="big">It would not end</p>
        {stopsAt !== null && (
          <p>
            It could not go on at <Moment at={stopsAt} />.
          </p>
        )}
      </>
    );
  }
  return <EndInWords end={end} seconds={seconds.expected} atMs={atMs} />;
};

/** The steps of a host, in words. */
const stepWords: Readonly<Record<string, string>> = {
  turn: 'waits for its turn',
  end: 'waits for the end of',
  group: 'waits for group',
  answer: 'waits for the answer about',
  move: 'moves',
  maintenance: 'is maintained',
};

const Critical = ({ plan: { critical_host: critical, moves } }: { readonly plan: Plan }) => {
  if (critical === null) return <p>No host is maintained.</p>;
  const nameOf = (subject: string): string =>
    moves.find(({ instance_id: id }) => id === subject)?.instance_name ??
    (subject === critical.hostname ? '' : withShortIds(subject));
  return (
    <>
      <p>
        <strong>{critical.hostname}</strong> ends last:
      </p>
      <ol>
        {critical.steps.map(({ kind, subject, from, seconds }) => (
          <li key={`${kind} ${from}`}>
            {stepWords[kind] ?? kind} <strong>{nameOf(subject)}</strong> <span class="hint">{duration(seconds)}</span>
          </li>
        ))}
      </ol>
    </>
  );
};

const everyHost = { phases: new Set<never>(), text: '' };

/** The hosts of a plan as its timeline has them. */
const timelineOf = (plan: Plan) => {
  const nowMs = Date.parse(plan.planned_at);
  const hosts = plan.hosts.map(({ hostname, phase }) => ({
    hostname,
    phase,
    phase_since: plan.planned_at,
    past_phases: [],
    drain_started_at: null,
    waiting: null,
  }));
  const turns = new Map(
    plan.hosts.map(({ hostname, drain }) => [hostname, drain === null ? undefined : Date.parse(drain.from)]),
  );
  return {
    nowMs,
    hosts: hostsInOrder(hosts, everyHost, (hostname) => turns.get(hostname)),
    planned: new Map(plan.hosts.map((host) => [host.hostname, host])),
    range: rangeOf(
      plan.hosts.flatMap((host) => spansExpected(host, nowMs)),
      [nowMs],
    ),
    bounds: boundsOf(plan),
  };
};

const PlannedHosts = ({ plan }: { readonly plan: Plan }) => {
  const [opened, open] = useState<string | undefined>(undefined);
  const timeline = useMemo(() => timelineOf(plan), [plan]);
  const moves = plan.moves.filter(({ host }) => host === opened);
  return (
    <>
      <Timeline {...timeline} onOpen={open} />
      {opened !== undefined && (
        <p role="status">
          <strong>{opened}</strong>: {count(moves.length, 'instance')} would leave it.{' '}
          {moves
            .map(({ instance_name: name, target }) => `${name}${target === null ? '' : ` to ${target}`}`)
            .join(', ')}
        </p>
      )}
    </>
  );
};
