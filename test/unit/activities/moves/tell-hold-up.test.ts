import { createHoldUpTeller } from '../../../../activities/moves/tell-hold-up';
import type { MoveStatus } from '../../../../clouds/cloud-driver';
import type { Database } from '../../../../prisma/database';
import type { ClaimRecord } from '../../../../prisma/moves/claims';

const claim = { sessionId: 'session-1', instanceId: 'instance-1' } as ClaimRecord;
const running: MoveStatus = { kind: 'running' };
const waitsFor = (progress: string): MoveStatus => ({ kind: 'running', isQueued: true, progress });

/** A worker that notes these statuses. */
const notesOf = async (details: string | null, ...statuses: readonly MoveStatus[]) => {
  const written: unknown[] = [];
  const db = {
    $queryRaw: () => Promise.resolve([{ now: new Date(0) }]),
    sessionInstance: {
      findFirst: () => Promise.resolve({ details }),
      updateMany: ({ data: { details, heldUpSince } }: { data: { details: unknown; heldUpSince?: Date } }) =>
        Promise.resolve(written.push(...(heldUpSince?.getTime() ? [details, heldUpSince] : [details]))),
    },
  } as unknown as Database;
  const teller = createHoldUpTeller({ db }, claim);
  for (const status of statuses) await teller.note(status);
  return written;
};

it.each([
  { situation: 'a move that runs is not held up', details: null, statuses: [running], written: [] },
  {
    situation: 'each reason is told once',
    ...{ details: null, statuses: [waitsFor('a'), waitsFor('a'), waitsFor('b'), running] },
    written: ['waits: a', 'waits: b', null],
  },
  {
    situation: 'a killed worker told a reason that is over',
    details: 'waits: a',
    statuses: [running],
    written: [null],
  },
  { situation: 'a killed worker told the present reason', details: 'waits: a', statuses: [waitsFor('a')], written: [] },
  {
    situation: 'the cloud tells since when its reason is there',
    ...{
      details: null,
      statuses: [{ ...waitsFor('a'), heldUpSince: new Date(7) }],
      written: ['waits: a', new Date(7)],
    },
  },
  { situation: 'other details stay', details: 'failed', statuses: [running], written: [] },
])('writes $written when $situation', async ({ details, statuses, written }) => {
  expect(await notesOf(details, ...statuses)).toEqual(written);
});
