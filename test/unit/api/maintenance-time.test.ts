import { parseMaintenanceTime } from '../../../api/maintenance-time';

describe('maintenance_at', () => {
  it.each([
    { text: '2026-04-15 11:43:28', means: '2026-04-15T11:43:28.000Z' },
    { text: '2026-04-15T11:43:28', means: '2026-04-15T11:43:28.000Z' },
    { text: '2026-04-15T11:43', means: '2026-04-15T11:43:00.000Z' },
    { text: '2026-04-15T11:43:28Z', means: '2026-04-15T11:43:28.000Z' },
    { text: '2026-04-15T11:43:28.123456', means: '2026-04-15T11:43:28.123Z' },
    { text: '2026-04-15T11:43:28+02:00', means: '2026-04-15T09:43:28.000Z' },
    { text: '2026-04-15T11:43:28-0230', means: '2026-04-15T14:13:28.000Z' },
    { text: '2026-04-15 11:43:28+02', means: '2026-04-15T09:43:28.000Z' },
    { text: '0001-01-01 00:00:00', means: '1970-01-01T00:00:00.000Z' },
  ])('$text is $means', ({ text, means }) => {
    expect(parseMaintenanceTime(text)?.toISOString()).toBe(means);
  });

  it.each([
    'tomorrow',
    '',
    '2026-04-15',
    '15.04.2026 11:43:28',
    '2026-02-30 11:43:28',
    '2026-13-01 11:43:28',
    '2026-04-15 24:00:00',
    '2026-04-15 11:60:00',
    '2026-04-15 11:43:28+25:00',
    ' 2026-04-15 11:43:28',
  ])('%j is no time', (text) => {
    expect(parseMaintenanceTime(text)).toBeUndefined();
  });
});
