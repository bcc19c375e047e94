/** The view of the timeline, its marks, and the words in its rows. */
import fc from 'fast-check';
import { instancesByHost } from '../../../page/timeline/instances-on';
import type { HostOfTimeline, Range, Span } from '../../../page/timeline/layout';
import { closedIn, labelsOf, type Mark } from '../../../page/timeline/marks';
import { noteOf, placeNote } from '../../../page/timeline/notes';
import { afterMove, moved, moveOfKey, viewIn, zoomed } from '../../../page/timeline/view';

const minute = 60_000;
const whole: Range = { fromMs: 0, toMs: 100 * minute };
const lengthOf = ({ fromMs, toMs }: Range): number => toMs - fromMs;

describe('the view of the timeline', () => {
  it('never leaves the whole, however it is zoomed and moved', () => {
    const anyMove = fc.oneof(
      fc.record({ kind: fc.constant('zoom' as const), factor: fc.double({ min: 0.1, max: 10, noNaN: true }) }),
      fc.record({ kind: fc.constant('pan' as const), share: fc.double({ min: -2, max: 2, noNaN: true }) }),
    );
    fc.assert(
      fc.property(fc.array(anyMove), fc.nat(200 * minute), (moves, nowMs) => {
        let view: Range | undefined;
        for (const move of moves) {
          view = afterMove(move, { view: viewIn(view, whole), whole, nowMs });
          const { fromMs, toMs } = viewIn(view, whole);
          expect(fromMs).toBeGreaterThanOrEqual(whole.fromMs);
          expect(toMs).toBeLessThanOrEqual(whole.toMs + 1e-6);
          expect(toMs - fromMs).toBeGreaterThanOrEqual(minute - 1e-6);
        }
      }),
    );
  });

  it('keeps the moment in its place around which it is zoomed', () => {
    const view = zoomed(whole, whole, { factor: 2, share: 0.25 })!;
    expect(lengthOf(view)).toBe(50 * minute);
    expect(view.fromMs + lengthOf(view) * 0.25).toBe(25 * minute);
    expect(zoomed(view, whole, { factor: 0.5, share: 0.25 })).toBeUndefined();
  });

  it('keeps its length when it is moved beyond an end', () => {
    expect(moved({ fromMs: 80 * minute, toMs: 90 * minute }, whole, 5)).toEqual({
      ...{ fromMs: 90 * minute, toMs: 100 * minute },
    });
  });

  it.each([
    { key: '+', moves: true },
    { key: '0', moves: true },
    { key: 'ArrowLeft', moves: true },
    { key: 'ArrowDown', moves: false },
    { key: 'constructor', moves: false },
  ])('is moved by the key $key: $moves', ({ key, moves }) => {
    expect(moveOfKey(key) !== undefined).toBe(moves);
  });
});

const at = (minutes: number): string => new Date(minutes * minute).toISOString();

describe('the marks of the timeline', () => {
  it.each([
    { openings: null, closed: [] },
    { openings: [], closed: [[0, 100]] },
    { openings: [[0, 100]], closed: [] },
    {
      openings: [
        [10, 20],
        [40, 100],
      ],
      closed: [
        [0, 10],
        [20, 40],
      ],
    },
  ])('shade $closed where openings are $openings', ({ openings, closed }) => {
    const spans = openings?.map(([from = 0, to = 0]) => ({ from: at(from), to: at(to) })) ?? null;
    expect(closedIn(spans, whole).map(({ fromMs, toMs }) => [fromMs / minute, toMs / minute])).toEqual(closed);
  });

  const aMark = (kind: Mark['kind'], words: string, minutes: number): Mark => ({ kind, words, atMs: minutes * minute });

  it('have their words in two rows where they would cover each other, and inside of the picture', () => {
    const marks = [aMark('now', 'now', 10), aMark('canary', 'canary done', 12), aMark('end', 'expected end', 99)];
    expect(labelsOf(marks, whole, 800).map(({ row, side }) => [row, side])).toEqual([
      [0, 'start'],
      [1, 'start'],
      [0, 'end'],
    ]);
  });

  it('are left out beyond the view, but for a deadline that is yet to come', () => {
    const view = { fromMs: 20 * minute, toMs: 60 * minute };
    const marks = [aMark('now', 'now', 10), aMark('end', 'expected end', 70), aMark('deadline', 'deadline', 90)];
    expect(labelsOf(marks, view, 800).map(({ mark: { words } }) => words)).toEqual(['deadline →']);
  });
});

const aHost = (given: Partial<HostOfTimeline>): HostOfTimeline => ({
  ...{ hostname: 'node-7', phase: 'waiting', phase_since: at(0), waiting: null },
  ...{ drain_started_at: null, past_phases: [] },
  ...given,
});

const planned = {
  ...{ drain: { from: at(20), to: at(25) }, maintenance: { from: at(25), to: at(30) }, move_count: 6 },
};

const forAnswer: HostOfTimeline['waiting'] = {
  ...{ waiting_for: 'answer', who: 'node-7', who_name: null, since: null, remaining_seconds: 60 },
  ...{ subject: 'p', subject_id: 'p', subject_name: 'vepc' },
};

describe('the words in the row of a host', () => {
  const clockOf = (time: string): string => time.slice(11, 16);

  it.each<{ host: Partial<HostOfTimeline>; instances?: number; note: string }>([
    { host: {}, note: '6 instances · begins about 00:20' },
    { host: { waiting: forAnswer }, note: '6 instances · waits for the answer of project vepc · begins about 00:20' },
    { host: { phase: 'emptying' }, instances: 1, note: '1 instance' },
    { host: { phase: 'maintaining' }, note: 'back about 00:30' },
    { host: { phase: 'set_aside', details: 'the firmware is locked' }, note: 'the firmware is locked' },
    { host: { phase: 'maintained' }, note: '' },
  ])('say "$note"', ({ host, instances, note }) => {
    expect(noteOf(aHost(host), { planned, instances, clockOf })).toBe(note);
  });

  it.each<{ spans: [number, number][]; anchor: string; text: string }>([
    { spans: [[0, 20]], anchor: 'start', text: 'waits for the answer' },
    { spans: [[85, 95]], anchor: 'end', text: 'waits for the answer' },
    { spans: [[12, 90]], anchor: 'end', text: 'waits for the a…' },
  ])('stand beside the bars $spans: $text', ({ spans, anchor, text }) => {
    const bars = spans.map(([from, to]): Span => ({
      ...{ kind: 'draining', fromMs: from * minute, toMs: to * minute },
    }));
    expect(placeNote('waits for the answer', bars, { range: whole, width: 1_000 })).toMatchObject({
      ...{ text, anchor },
    });
  });

  it('are left out where a bar takes all of the row', () => {
    const bar: Span = { kind: 'draining', ...whole };
    expect(placeNote('waits for the answer', [bar], { range: whole, width: 1_000 })).toBeUndefined();
  });
});

it('the instances of hosts under work are those on them, and of hosts to come those that will leave, by name', () => {
  const on = (host: string, instance_name: string) => ({ host, instance_name });
  const hosts = [
    { hostname: 'node-1', phase: 'emptying' },
    { hostname: 'node-2', phase: 'waiting' },
    { hostname: 'node-3', phase: 'maintained' },
  ];
  const detail = { hosts, instances: [on('node-1', 'amf-10'), on('node-1', 'amf-2'), on('node-2', 'smf-1')] };
  const plan = { moves: [on('node-1', 'amf-9'), on('node-2', 'smf-1'), on('node-2', 'smf-2')] };
  expect([...instancesByHost(detail as never, plan as never)]).toEqual([
    ['node-1', ['amf-2', 'amf-10']],
    ['node-2', ['smf-1', 'smf-2']],
    ['node-3', []],
  ]);
});
