/** The hosts that are left over time, beside the plan with its range, and how many are done in an hour. */
import { useMemo, useRef } from 'preact/hooks';
import { useWidth } from '../parts/use-width';
import { Axis, Shades } from '../timeline/axis';
import { MarkLines } from '../timeline/host-bar';
import { placeOf, type Range } from '../timeline/layout';
import { boundsOf } from '../timeline/marks';
import type { SessionHosts } from '../timeline/session-timeline';
import { type BurnDown, burnDownOf, type Pace, paceOf, type Step } from './burn-down';

const height = 280;
const floor = height - 6;
const ceiling = 14;
const left = 44;
/** A shorter step moves no curve by a pixel, and the curves of many hosts have thousands of points. */
const drawnEachMs = 10_000;

export const BurnDownView = ({ summary, plan, shown, atMs }: SessionHosts) => {
  const room = useRef<HTMLDivElement>(null);
  const width = Math.max(1, useWidth(room) - left);
  const stepMs = Math.floor(atMs / drawnEachMs) * drawnEachMs;
  const down = useMemo(
    () => burnDownOf({ hosts: shown, plan, session: summary, atMs: stepMs }),
    [shown, plan, summary.begun_at, stepMs],
  );
  const range = useMemo(() => rangeOfSteps([...down.past, ...down.expected, ...down.latest]), [down]);
  const curves = useMemo(() => <Curves down={down} range={range} width={width} />, [down, range, width]);
  const bounds = useMemo(() => boundsOf(plan, summary), [plan, summary.deadline, summary.begun_at, summary.ended_at]);
  const now = down.past.at(-1)?.left ?? down.total;
  return (
    <div class="burn-down">
      <PaceFacts pace={paceOf(down)} done={down.total - now} total={down.total} />
      <div ref={room} class="burn-room">
        <div class="burn-picture" role="img" aria-label={`${now} of ${down.total} hosts are left`}>
          <Levels total={down.total} />
          <div class="burn-lane">
            <Axis range={range} nowMs={atMs} bounds={bounds} width={width} />
            <svg class="burn" width="100%" height={height} aria-hidden="true">
              <Shades bounds={bounds} range={range} height={height} />
              {curves}
              <MarkLines bounds={bounds} range={range} nowMs={atMs} height={height} />
            </svg>
          </div>
        </div>
      </div>
    </div>
  );
};

const rangeOfSteps = (steps: readonly Step[]): Range => {
  const fromMs = steps.reduce((least, { atMs }) => Math.min(least, atMs), Infinity);
  const toMs = steps.reduce((most, { atMs }) => Math.max(most, atMs), -Infinity);
  const length = Math.max(60_000, toMs - fromMs);
  return { fromMs: fromMs - length * 0.01, toMs: fromMs + length * 1.03 };
};

const yOf = (hosts: number, total: number): number => floor - (hosts / Math.max(1, total)) * (floor - ceiling);

/** The numbers of hosts beside the picture. */
const Levels = ({ total }: { readonly total: number }) => (
  <svg class="levels" width={left} height={height + 56} aria-hidden="true">
    {[...new Set([0, Math.round(total / 2), total])].map((level) => (
      <text key={level} x={left - 8} y={56 + yOf(level, total) + 4} text-anchor="end">
        {level}
      </text>
    ))}
  </svg>
);

interface CurvesProps {
  readonly down: BurnDown;
  readonly range: Range;
  readonly width: number;
}

const Curves = ({ down: { total, past, expected, earliest, latest }, range, width }: CurvesProps) => {
  const point = ({ atMs, left: hosts }: Step): string =>
    `${((placeOf(atMs, range) / 100) * width).toFixed(1)},${yOf(hosts, total).toFixed(1)}`;
  const line = (steps: readonly Step[]): string => steps.map(point).join(' ');
  return (
    <>
      {[0, total / 2, total].map((level) => (
        <line key={level} class="level" x1="0" x2="100%" y1={yOf(level, total)} y2={yOf(level, total)} />
      ))}
      {earliest.length > 0 && <polygon class="burn-range" points={line([...earliest, ...latest.toReversed()])} />}
      <polyline class="burn-expected" points={line(expected)} />
      <polyline class="burn-past" points={line(stairs(past))} />
    </>
  );
};

/** Nothing is done half: the number of hosts goes down at once. */
const stairs = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step, at) => {
    const before = steps[at - 1];
    return before === undefined ? [step] : [{ atMs: step.atMs, left: before.left }, step];
  });

interface PaceFactsProps {
  readonly pace: Pace;
  readonly done: number;
  readonly total: number;
}

const PaceFacts = ({ pace, done, total }: PaceFactsProps) => (
  <dl class="pace">
    <Fact name="Over" value={`${done} of ${total}`} unit="hosts" />
    <Fact name="In the last hour" value={inHours(pace.lately)} unit="hosts an hour" />
    <Fact name="Since the begin" value={inHours(pace.sinceBegin)} unit="hosts an hour" />
    <Fact name="By the plan, from now on" value={inHours(pace.byPlan)} unit="hosts an hour" />
  </dl>
);

const inHours = (pace: number | undefined): string => (pace === undefined ? '–' : pace.toFixed(pace < 10 ? 1 : 0));

const Fact = ({ name, value, unit }: { readonly name: string; readonly value: string; readonly unit: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong> <span class="hint">{unit}</span>
    </dd>
  </div>
);
