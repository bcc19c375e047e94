/** Rows of what holds a session up, each with its hosts, its reason, and a way out. */
import { hashOf } from '../address';
import type { Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { Chip, type Tone } from '../parts/chip';
import { Left } from '../parts/times';
import type { LaneRow } from './lane-rows';

const tones: Readonly<Record<LaneRow['weight'], Tone>> = {
  stops: 'bad',
  delays: 'plain',
  note: 'plain',
  waits: 'plain',
};

interface LaneListProps {
  readonly rows: readonly LaneRow[];
  readonly seen: Seen<Summary>;
  /** Asks about a skip of one of these hosts. */
  readonly onSkip: (hosts: readonly string[]) => void;
}

export const LaneList = ({ rows, seen, onSkip }: LaneListProps) => {
  const { next, session_id: sessionId } = seen.body;
  const mayBeSkipped = new Set(next.find(({ request }) => request === 'skip')?.hosts ?? []);
  if (rows.length === 0) return null;
  return (
    <ul class="lane-rows">
      {rows.map((row) => (
        <li key={row.key} class="lane-row">
          <Words row={row} isOver={seen.body.progress === 'done'} />
          <Left seconds={row.secondsLeft} atMs={seen.atMs} />
          <span class="lane-buttons">
            {row.hosts.length > 0 && <Hosts row={row} sessionId={sessionId} />}
            <Why row={row} />
            <SkipButton hosts={row.hosts.filter((host) => mayBeSkipped.has(host))} onSkip={onSkip} />
          </span>
        </li>
      ))}
    </ul>
  );
};

interface WordsProps {
  readonly row: LaneRow;
  /** True: nothing is delayed any more. */
  readonly isOver: boolean;
}

const Words = ({ row: { weight, lead, words, more, upTo }, isOver }: WordsProps) => (
  <p class="lane-words">
    {weight !== 'waits' && !isOver && (
      <>
        <Chip tone={tones[weight]}>{weight}</Chip>{' '}
      </>
    )}
    {lead} {weight === 'waits' ? <strong>{words}</strong> : words} {more} <span class="hint">· up to {upTo}</span>
  </p>
);

interface HostsProps {
  readonly row: LaneRow;
  readonly sessionId: string;
}

const Hosts = ({ row: { hosts, moreHosts }, sessionId }: HostsProps) => (
  <details class="lane-more">
    <summary>{hosts.length === 1 ? 'host' : 'hosts'}</summary>
    <ul class="lane-hosts">
      {hosts.map((hostname) => (
        <li key={hostname}>
          <a href={hashOf({ name: 'session', sessionId, hostname })}>{hostname}</a>
        </li>
      ))}
      {moreHosts > 0 && <li class="hint">and {moreHosts} more</li>}
    </ul>
  </details>
);

/** What would help stands open where nothing goes on without it. */
const Why = ({ row: { why, weight } }: { readonly row: LaneRow }) =>
  why.length === 0 ? null : (
    <details class="lane-more" open={weight === 'stops'}>
      <summary>why</summary>
      {why.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </details>
  );

const SkipButton = ({ hosts, onSkip }: Pick<LaneListProps, 'onSkip'> & { readonly hosts: readonly string[] }) =>
  hosts.length === 0 ? null : (
    <button class="button small" onClick={() => onSkip(hosts)}>
      Skip
    </button>
  );
