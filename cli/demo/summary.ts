/** The demo's summary, in words. */
import { groupName } from '../../api/waiting/tell-reason';
import { tableLines } from '../text-table';
import type { HistoryMeasures } from './measure-histories';
import type { SessionMeasures } from './measure-session';

export interface Summary {
  readonly hosts: number;
  readonly instances: number;
  /** The time from the session's creation to its end. */
  readonly sessionSeconds: number;
  /** The time from the start of the demo to the session's end. */
  readonly wholeSeconds: number;
  readonly session: SessionMeasures;
  readonly histories: HistoryMeasures;
  readonly projects: ReadonlyMap<string, string>;
}

const movesLine = ({ moves, fallbacks }: SessionMeasures): string => {
  const total = moves.reduce((sum, { count }) => sum + count, 0);
  const kinds = moves.map(({ kind, count }) => `${String(count)} ${kind}`).join(', ');
  return `${String(total)}: ${kinds}; fallbacks: ${String(fallbacks)}`;
};

const peakLines = ({ session, projects }: Summary): string[] =>
  tableLines(
    session.peaks.map(({ name, peak, limit }) => [
      `  ${groupName(name, projects)}`,
      `${String(peak)} of ${String(limit)}`,
      peak > limit ? 'OVER ITS LIMIT' : '',
    ]),
  );

export const summaryLines = (summary: Summary): string[] => {
  const { hosts, instances, sessionSeconds, wholeSeconds, session, histories } = summary;
  const { asked, answered, silent } = session.questions;
  return [
    `${String(hosts)} hosts maintained with ${String(instances)} instances on them.`,
    '',
    ...tableLines([
      ['Time', `${sessionSeconds.toFixed(0)} s (${wholeSeconds.toFixed(0)} s with starting the service)`],
      ['Moves', movesLine(session)],
      ['Questions', `${String(asked)} asked, ${String(answered)} answered, ${String(silent)} met with silence`],
      ['Events', `${String(session.events)} sent`],
      [
        'Temporal',
        `longest workflow history ${String(histories.longest)} events, ` +
          `${(histories.total / hosts).toFixed(0)} events per host`,
      ],
    ]),
    '',
    'Most members impacted at once, by the simulated cloud’s own log with recovery times:',
    ...peakLines(summary),
  ];
};
