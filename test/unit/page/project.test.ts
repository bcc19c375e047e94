import type { ComingEntry, Terms } from '../../../page/client/types';
import { type TermsDraft, termsDraftOf, termsOf } from '../../../page/project/terms-draft';
import { weekOf } from '../../../page/project/week';

const anEntry = (name: string, given: Partial<ComingEntry>): ComingEntry => ({
  ...{ instance_id: name, instance_name: name, session_id: 's', reason: null, status: 'scheduled', impact: null },
  ...{ starts_at: null, started_at: null, ended_at: null, not_before: null, not_before_latest: null },
  ...{ deadline: null, reply_url: null },
  ...given,
});

/** Noon, in the zone of the browser. */
const noon = new Date(2026, 2, 27, 12);
const hoursLater = (hours: number): string => new Date(noon.getTime() + hours * 3_600_000).toISOString();
const startsAt = (hours: number) => {
  const time = hoursLater(hours);
  return { starts_at: { earliest: time, expected: time, latest: time } };
};

describe('the week of a project', () => {
  it('has each entry on its day, over a change of clocks too', () => {
    const week = weekOf(
      [
        anEntry('running', { started_at: hoursLater(-30), status: 'executing' }),
        anEntry('tonight', startsAt(10)),
        anEntry('tomorrow', startsAt(13)),
        anEntry('on the last day', startsAt(6 * 24)),
        anEntry('next week', startsAt(8 * 24)),
        anEntry('sometime', {}),
      ],
      noon.getTime(),
    );
    expect(week.days.map(({ from }) => from.getDate())).toEqual([27, 28, 29, 30, 31, 1, 2]);
    const names = (entries: readonly ComingEntry[]) => entries.map(({ instance_name: name }) => name);
    expect(week.days.map(({ entries }) => names(entries))).toEqual([
      ...[['running', 'tonight'], ['tomorrow'], [], [], [], [], ['on the last day']],
    ]);
    expect([names(week.later), names(week.sometime)]).toEqual([['next week'], ['sometime']]);
  });
});

describe('the form of terms', () => {
  const stored = {
    ...{ ask: 'never', contact: 'the web team', further: { of: 'later' } },
    hours: [{ days: ['sat'], from: '22:00', to: '06:00', time_zone: 'UTC' }],
    notice_seconds: 3600,
    answers: { PLANNED_MAINTENANCE: { action: 'LIVE_MIGRATE' }, PREPARE_MAINTENANCE: 'ACK' },
  } as unknown as Terms;

  it('keeps what it does not know', () => {
    const draft = termsDraftOf(stored);
    expect(termsOf(draft, stored)).toEqual(stored);
    const changed: TermsDraft = {
      ...draft,
      ask: '',
      contact: '',
      moves: 'ACK',
      scaleIn: 'NACK',
      hours: [],
      notice: '',
    };
    expect(termsOf(changed, stored)).toEqual({
      further: { of: 'later' },
      answers: { PREPARE_MAINTENANCE: 'ACK', PLANNED_MAINTENANCE: 'ACK', SCALE_IN: 'NACK' },
    });
  });

  it('makes nothing of an empty form', () => {
    expect(termsOf(termsDraftOf({}), {})).toEqual({});
  });

  it('says which text is not JSON', () => {
    expect(() => termsOf({ ...termsDraftOf(stored), others: '{' }, stored)).toThrow('the other fields are not JSON');
  });
});
