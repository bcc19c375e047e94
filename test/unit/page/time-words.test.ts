/** Times in the zone in which the page shows them, and the clock by which it counts what is over. */
import { learnServiceTime, nowMs, serviceMs } from '../../../page/live/clock';
import { ownZone, shownZone, zoneOfWindows } from '../../../page/live/shown-zone';
import { beforeUtcMs, exactly, isSameDay, periodBeside, timeAs } from '../../../page/parts/time-words';
import { clockOn, wordsOfTicks } from '../../../page/timeline/tick-words';

const windowIn = (zone: string) => ({ time_zone: zone });

describe('the shown zone', () => {
  it.each([
    { situation: 'there is no window', windows: [], zone: undefined },
    { situation: 'the session is not known yet', windows: undefined, zone: undefined },
    { situation: 'all windows are in one', windows: ['Asia/Kolkata', 'Asia/Kolkata'], zone: 'Asia/Kolkata' },
    { situation: 'windows are in several', windows: ['Asia/Kolkata', 'UTC'], zone: undefined },
    { situation: 'the browser does not know it', windows: ['Mars/Olympus'], zone: undefined },
  ])('is $zone where $situation', ({ windows, zone }) => {
    expect(zoneOfWindows(windows?.map(windowIn))).toBe(zone);
  });
});

describe('times in a zone of windows', () => {
  beforeEach(() => {
    shownZone.value = 'Asia/Kolkata';
  });
  afterEach(() => {
    shownZone.value = ownZone;
  });

  it('have the hours and the days of that zone, and name it where they are exact', () => {
    const at = '2026-11-30T20:31:07Z';
    expect(timeAs('clockWithSeconds', at)).toContain('02:01:07');
    expect(timeAs('date', at)).toContain('1');
    expect(exactly(at)).toMatch(/2026.*02:01:07.*(GMT\+5:30|IST)/u);
    expect(isSameDay(at, '2026-11-30T18:29:00Z')).toBe(false);
    expect(isSameDay(at, '2026-11-30T18:31:00Z')).toBe(true);
  });

  it('are told as a period without the day that stands beside it', () => {
    const told = '2026-11-30T19:00:00Z';
    expect(periodBeside(told, '2026-11-30T18:45:00Z', '2026-11-30T19:20:00Z')).toMatch(/^12:15\D+12:50/u);
    expect(periodBeside(told, '2026-11-30T18:25:00Z', '2026-11-30T19:20:00Z')).toMatch(/Nov.*Dec/u);
  });

  it('stand on the axis with the date of each new day', () => {
    const ticks = ['2026-11-30T18:00:00Z', '2026-11-30T18:30:00Z', '2026-11-30T19:00:00Z'].map(Date.parse);
    const words = wordsOfTicks(ticks, { fromMs: ticks[0] ?? 0, toMs: ticks[2] ?? 0 });
    expect(words.map((word) => /Nov|Dec/u.exec(word)?.[0])).toEqual(['Nov', 'Dec', undefined]);
    expect(clockOn('2026-11-30T19:00:00Z', ticks[2] ?? 0)).toContain('12:30');
  });

  it.each([
    { zone: 'Asia/Kolkata', minutes: -330 },
    { zone: 'UTC', minutes: 0 },
    { zone: 'America/New_York', minutes: 300 },
  ])('are $minutes minutes before UTC in $zone', ({ zone, minutes }) => {
    shownZone.value = zone;
    expect(beforeUtcMs('2026-11-30T12:00:00Z')).toBe(minutes * 60_000);
  });
});

describe('the clock of the service', () => {
  afterEach(() => learnServiceTime(new Date().toUTCString()));

  it('is that of this machine until an answer tells another time', () => {
    expect(serviceMs.value).toBe(nowMs.value);
    learnServiceTime(null);
    learnServiceTime(new Date(Date.now() - 500).toUTCString());
    expect(serviceMs.value).toBe(nowMs.value);
  });

  it('is as far ahead as an answer tells', () => {
    learnServiceTime(new Date(Date.now() + 3_600_000).toUTCString());
    expect(Math.abs(serviceMs.value - nowMs.value - 3_600_000)).toBeLessThan(2_000);
  });
});
