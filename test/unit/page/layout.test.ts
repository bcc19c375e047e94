import {
  type HostOfTimeline,
  placeOf,
  rangeOf,
  type Span,
  spansExpected,
  spansOf,
  spansSoFar,
  ticksOf,
} from '../../../page/timeline/layout';

const at = (clock: string): string => `2026-01-05T${clock}:00.000Z`;
const ms = (clock: string): number => Date.parse(at(clock));
const nowMs = ms('03:00');

const waitsForAnswer: HostOfTimeline['waiting'] = {
  ...{ waiting_for: 'answer' as const, who: 'compute-1', who_name: null, since: at('02:30'), remaining_seconds: 60 },
  ...{ subject: 'p', subject_id: 'p', subject_name: null },
};

const aHost = (given: Partial<HostOfTimeline>): HostOfTimeline => ({
  ...{ hostname: 'compute-1', phase: 'waiting', phase_since: at('01:00'), waiting: null },
  ...{ drain_started_at: null, past_phases: [] },
  ...given,
});

const shown = (spans: readonly Span[]): string[] =>
  spans.map(({ kind, fromMs, toMs }) => {
    const clock = (moment: number): string => new Date(moment).toISOString().slice(11, 16);
    return `${kind} ${clock(fromMs)}-${clock(toMs)}`;
  });

type Past = HostOfTimeline['past_phases'];
const was = (phase: Past[number]['phase'], clock: string): Past[number] => ({ phase, since: at(clock) });
const waited = was('waiting', '01:00');
const [drained, maintained] = [was('emptying', '02:00'), was('maintaining', '02:20')];

describe('the timeline', () => {
  it.each<{ situation: string; host: Partial<HostOfTimeline>; spans: string[] }>([
    { situation: 'waits for its turn', host: {}, spans: [] },
    {
      situation: 'is drained',
      host: { phase: 'emptying', phase_since: at('02:00'), past_phases: [waited] },
      spans: ['draining 02:00-03:00'],
    },
    {
      situation: 'is drained and waits for an answer',
      host: { phase: 'emptying', phase_since: at('02:00'), past_phases: [waited], waiting: waitsForAnswer },
      spans: ['draining 02:00-03:00', 'waits 02:30-03:00'],
    },
    {
      situation: 'is in maintenance',
      host: { phase: 'maintaining', phase_since: at('02:20'), past_phases: [waited, drained] },
      spans: ['draining 02:00-02:20', 'maintaining 02:20-03:00'],
    },
    {
      situation: 'is done',
      host: { phase: 'maintained', phase_since: at('02:40'), past_phases: [waited, drained, maintained] },
      spans: ['draining 02:00-02:20', 'maintaining 02:20-02:40'],
    },
    {
      situation: 'was given back',
      host: { phase: 'waiting', phase_since: at('02:30'), past_phases: [waited, drained, was('releasing', '02:20')] },
      spans: ['draining 02:00-02:20', 'draining 02:20-02:30'],
    },
    {
      situation: 'could not be drained',
      host: { phase: 'set_aside', phase_since: at('02:30'), past_phases: [waited, drained] },
      spans: ['draining 02:00-02:30', 'failed 02:30-03:00'],
    },
    {
      situation: 'failed and was skipped then',
      host: {
        ...{ phase: 'skipped', phase_since: at('02:50') },
        past_phases: [waited, drained, maintained, was('failed', '02:40')],
      },
      spans: ['draining 02:00-02:20', 'maintaining 02:20-02:40', 'failed 02:40-02:50', 'skipped 02:50-03:00'],
    },
    {
      situation: 'is drained again after a maintenance that failed',
      host: {
        ...{ phase: 'emptying', phase_since: at('02:50') },
        past_phases: [waited, drained, maintained, was('failed', '02:40'), was('waiting', '02:45')],
      },
      spans: ['draining 02:00-02:20', 'maintaining 02:20-02:40', 'failed 02:40-02:45', 'draining 02:50-03:00'],
    },
  ])('shows of a host that $situation: $spans', ({ host, spans }) => {
    expect(shown(spansSoFar(aHost(host), nowMs))).toEqual(spans);
  });

  it('shows of a plan only the rest: what should be over by now is over', () => {
    const [drain, maintenance] = [
      { from: at('02:00'), to: at('02:50') },
      { from: at('02:50'), to: at('03:30') },
    ];
    expect(shown(spansExpected({ drain, maintenance }, nowMs))).toEqual(['expected-maintaining 03:00-03:30']);
    expect(spansExpected(undefined, nowMs)).toEqual([]);
  });

  it.each<{ phase: HostOfTimeline['phase']; spans: string[] }>([
    { phase: 'waiting', spans: ['expected-draining 03:00-03:20', 'expected-maintaining 03:20-03:30'] },
    { phase: 'maintaining', spans: ['maintaining 01:00-03:00', 'expected-maintaining 03:20-03:30'] },
    { phase: 'maintained', spans: [] },
    { phase: 'skipped', spans: ['skipped 01:00-03:00'] },
  ])('expects nothing of a host that is $phase which is over: $spans', ({ phase, spans }) => {
    const planned = {
      drain: { from: at('02:00'), to: at('03:20') },
      maintenance: { from: at('03:20'), to: at('03:30') },
    };
    expect(shown(spansOf(aHost({ phase }), planned, nowMs))).toEqual(spans);
  });

  it('reaches from the first begin to the last end, with the present in it', () => {
    const range = rangeOf([{ kind: 'draining', fromMs: ms('02:00'), toMs: ms('02:30') }], [nowMs]);
    expect(placeOf(ms('02:00'), range)).toBeLessThan(2);
    expect(placeOf(nowMs, range)).toBeGreaterThan(95);
    expect(placeOf(ms('00:00'), range)).toBe(0);
    expect(placeOf(ms('09:00'), range)).toBe(100);
  });

  it.each([
    { from: '02:00', to: '03:00', most: 8, clocks: ['02:00', '02:10', '02:20', '02:30', '02:40', '02:50', '03:00'] },
    { from: '02:05', to: '09:00', most: 4, clocks: ['04:00', '06:00', '08:00'] },
  ])('has round times from $from to $to, at most $most', ({ from, to, most, clocks }) => {
    const ticks = ticksOf({ fromMs: ms(from), toMs: ms(to) }, most);
    expect(ticks).toEqual(clocks.map(ms));
  });

  it('has hours that are round in the zone of the reader', () => {
    const ticks = ticksOf({ fromMs: ms('02:00'), toMs: ms('05:00') }, 3, -30 * 60_000);
    expect(ticks).toEqual(['02:30', '03:30', '04:30'].map(ms));
  });
});
