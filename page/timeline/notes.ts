/** The words in the row of a host, and where in the row they have room. */
import { inWords } from '../../rules/reasons/in-words';
import { firstLineOf } from '../../rules/words/failure-of-host';
import { withShortIds } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import { asSeen } from '../../rules/words/what-they-see';
import type { PlannedHost } from '../client/types';
import { type HostOfTimeline, placeOf, type Range, type Span } from './layout';
import { letterWidth } from './marks';

export interface NoteFacts {
  readonly planned: Pick<PlannedHost, 'drain' | 'maintenance' | 'move_count'> | undefined;
  /** Instances that are on it; undefined: nobody has counted them. */
  readonly instances: number | undefined;
  readonly clockOf: (time: string) => string;
}

/** Says for example `6 instances · waits for the answer of project vepc · begins about 15:20`. */
export const noteOf = (host: HostOfTimeline, facts: NoteFacts): string =>
  [instancesOf(host, facts), waitOf(host), timeOf(host, facts)].filter((part) => part !== '').join(' · ');

const instancesOf = ({ phase }: HostOfTimeline, { instances, planned }: NoteFacts): string => {
  const number = phase === 'waiting' ? (instances ?? planned?.move_count) : instances;
  return number === undefined || number === 0 ? '' : count(number, 'instance');
};

const waitOf = ({ waiting, details = '' }: HostOfTimeline): string =>
  waiting === null ? withShortIds(asSeen(firstLineOf(details), 'page')) : `waits for ${inWords(waiting)}`;

const timeOf = ({ phase }: HostOfTimeline, { planned, clockOf }: NoteFacts): string => {
  if (phase === 'waiting' && planned?.drain) return `begins about ${clockOf(planned.drain.from)}`;
  return phase === 'maintaining' && planned?.maintenance ? `back about ${clockOf(planned.maintenance.to)}` : '';
};

export interface PlacedNote {
  readonly text: string;
  readonly x: number;
  readonly anchor: 'start' | 'end';
}

const gap = 8;
/** With fewer letters nobody learns anything. */
const fewestLetters = 12;

/** Puts the words after the bars, else before them, whole where that is possible; undefined: there is no room. */
export const placeNote = (text: string, spans: readonly Span[], { range, width }: Room): PlacedNote | undefined => {
  if (text === '') return undefined;
  const inView = spans.filter(({ fromMs, toMs }) => toMs >= range.fromMs && fromMs <= range.toMs);
  const xOf = (ms: number): number => (placeOf(ms, range) / 100) * width;
  const first = Math.min(width, ...inView.map(({ fromMs }) => xOf(fromMs)));
  const last = Math.max(0, ...inView.map(({ toMs }) => xOf(toMs)));
  const after = { x: last + gap, anchor: 'start' as const, room: width - last - 2 * gap };
  const before = { x: first - gap, anchor: 'end' as const, room: inView.length === 0 ? 0 : first - 2 * gap };
  const needed = text.length * letterWidth;
  const { x, anchor, room } = after.room >= needed || after.room >= before.room ? after : before;
  const letters = Math.floor(room / letterWidth);
  if (letters >= text.length) return { text, x, anchor };
  return letters < fewestLetters ? undefined : { text: `${text.slice(0, letters - 1).trimEnd()}…`, x, anchor };
};

export interface Room {
  readonly range: Range;
  /** In pixels. */
  readonly width: number;
}
