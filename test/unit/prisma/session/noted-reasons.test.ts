import { notedAt } from '../../../../prisma/session/noted-reasons';

const noon = Date.parse('2026-01-01T12:00:00Z');
const room = { waitingFor: 'room', who: 'i', subject: '4 vcpus' } as const;
const recovery = { waitingFor: 'recovery', who: 'i', subject: 'web', subjectId: 'g', untilMs: noon + 1_500 } as const;

describe('what is noted of a reason', () => {
  it('is also since when it holds, and nothing that is not known', () => {
    expect(notedAt(noon, [{ ...recovery, limit: undefined }], [])).toStrictEqual([{ ...recovery, sinceMs: noon }]);
  });

  it('is the first time, as long as it is the same', () => {
    const before = notedAt(noon, [room, recovery], []);
    expect(notedAt(noon + 60_000, [recovery, room], before).map(({ sinceMs }) => sinceMs)).toEqual([noon, noon]);
  });

  it.each([
    { what: 'another thing is waited for', before: [{ ...room, subject: '2 vcpus', sinceMs: noon }] },
    { what: 'nothing was noted', before: [] },
  ])('begins anew where $what', ({ before }) => {
    expect(notedAt(noon + 1, [room], before)).toEqual([{ ...room, sinceMs: noon + 1 }]);
  });
});
