import type { Row } from '../../checker/noted';
import { eventsOfSessions } from '../../checker/recorded-sessions';

const unsent = {
  state: 'PLANNED_MAINTENANCE',
  instance_id: 'one',
  window_seconds: 600,
  reply_at: null,
  answer: null,
};
const stamp = { reply_at: new Date(602_000).toISOString() };
const answer = { answer: 'ACK' };

/** A question's row changes from each of these to the next, a second apart. Returns the trace's events. */
const toldOf = (...rows: readonly Row[]) => {
  const notes = rows.map((row, at) => ({
    ...{ id: at, at, transaction: `${at}`, source: 'question' },
    old: rows[at - 1] ?? null,
    new: row,
  }));
  return notes.flatMap((note) => eventsOfSessions(notes, note));
};

describe('a question on record', () => {
  it('was asked when it was stamped', () => {
    expect(toldOf(unsent, { ...unsent, ...stamp }, { ...unsent, ...stamp, ...answer })).toEqual([
      { t: 1, event: 'notify', instance: 'one', lead: 601 },
      { t: 2, event: 'reply', instance: 'one', answer: 'ACK' },
    ]);
  });

  it('puts its instances off from its answer on', () => {
    const question = { ...unsent, ...stamp, not_before_latest: new Date(900_000).toISOString(), instance_ids: ['one'] };
    const later = { ...answer, answered_at: new Date(1_000).toISOString() };
    const times = { notBeforeMs: 60_000, instanceNotBeforeMs: {} };
    const again = { answered_at: new Date(2_000).toISOString(), times: null };
    const told = toldOf(question, { ...question, ...later, times }, { ...question, ...later, ...again });
    expect(told.filter(({ event }) => event === 'put_off')).toEqual([
      { t: 1, event: 'put_off', instance: 'one', seconds: 59 },
      { t: 2, event: 'put_off', instance: 'one' },
    ]);
  });

  it('was asked when it was answered, where it was stamped later', () => {
    expect(toldOf(unsent, { ...unsent, ...answer }, { ...unsent, ...answer, ...stamp })).toEqual([
      { t: 1, event: 'notify', instance: 'one', lead: 600 },
      { t: 1, event: 'reply', instance: 'one', answer: 'ACK' },
    ]);
  });
});
