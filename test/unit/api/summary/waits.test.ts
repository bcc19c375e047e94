import type { WaitingBody } from '../../../../api/schemas/waiting-schema';
import { waitsOf } from '../../../../api/summary/waits';

const aReason = (given: Partial<WaitingBody>): WaitingBody => ({
  ...{ waiting_for: 'answer', who: 'h1', who_name: null, subject: 'p', subject_id: 'p', subject_name: 'vepc' },
  ...{ since: '2026-01-01T12:00:00.000Z', remaining_seconds: 10 },
  ...given,
});
const among = {
  sessionId: 's',
  hostnames: new Set(['h1', 'h2', 'h3']),
  isUnderWork: (id: string) => id.startsWith('i'),
};

describe('what waits for whom', () => {
  it('is put together by what is waited for, with who can end it', () => {
    const reasons = [
      aReason({ who: 'h1', remaining_seconds: 5 }),
      aReason({ who: 'i1', who_name: 'web-1', since: '2026-01-01T11:59:00.000Z' }),
      aReason({ who: 'x1' }),
    ];
    expect(waitsOf(reasons, among)).toEqual([
      expect.objectContaining({
        ...{ owner: 'project', host_count: 1, instance_count: 1, names: ['h1', 'web-1'] },
        ...{ since: '2026-01-01T11:59:00.000Z', seconds_left: 10 },
      }),
    ]);
  });

  it('is told of the session itself, which waits for the last answers', () => {
    expect(waitsOf([aReason({ who: 's' })], among)).toEqual([
      expect.objectContaining({ owner: 'project', host_count: 0, instance_count: 0, names: [], seconds_left: 10 }),
    ]);
  });

  it('is told once for all hosts whose turn has not come', () => {
    const turn = { waiting_for: 'host', remaining_seconds: null } as const;
    const reasons = ['h1', 'h2', 'h3'].map((who) => aReason({ ...turn, who, subject: who, subject_name: who }));
    expect(waitsOf(reasons, among).map(({ host_count, owner }) => [host_count, owner])).toEqual([[3, 'service']]);
  });

  it('is told once for all hosts that wait for the places of others', () => {
    const reasons = ['h1', 'h2'].map((who) =>
      aReason({ waiting_for: 'place', who, subject: `of ${who}`, subject_id: null }),
    );
    expect(waitsOf(reasons, among)).toMatchObject([{ waiting_for: 'place', subject: 'turn', host_count: 2 }]);
    expect(waitsOf(reasons.slice(1), among)).toMatchObject([{ subject: 'of h2', host_count: 1 }]);
  });

  it('begins with people, the one with the least time left first', () => {
    const reasons = [
      aReason({ waiting_for: 'recovery', who: 'h1', subject: 'group', remaining_seconds: 1 }),
      aReason({ who: 'h2', subject: 'slow', subject_id: 'slow', remaining_seconds: 30 }),
      aReason({ who: 'h3', subject: 'quick', subject_id: 'quick', remaining_seconds: 5 }),
    ];
    expect(waitsOf(reasons, among).map(({ subject }) => subject)).toEqual(['quick', 'slow', 'group']);
  });

  it.each([
    { reason: { waiting_for: 'room', subject_id: null }, owner: 'operator' },
    { reason: { waiting_for: 'room', subject_id: 'p' }, owner: 'project' },
    { reason: { waiting_for: 'resume' }, owner: 'admin' },
    { reason: { waiting_for: 'bus' }, owner: 'operator' },
    { reason: { waiting_for: 'bus', because: 'the webhook of the project has not taken it' }, owner: 'project' },
    { reason: { waiting_for: 'group' }, owner: 'service' },
  ] as const)('$reason is for the $owner', ({ reason, owner }) => {
    expect(waitsOf([aReason(reason)], among)[0]?.owner).toBe(owner);
  });
});
