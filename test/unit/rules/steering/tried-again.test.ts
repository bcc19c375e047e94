/** Shows how long a learned time that is longer than every window keeps its host from being maintained. */
import { isBeingTried, triedAgain } from '../../../../rules/steering/tried-again';
import { aHostIn, type HostFields } from '../../../builders/a-fleet';

const at = (day: string): number => Date.parse(`2026-01-${day}T00:00:00Z`);
const hours = (count: number): number => count * 3_600;

/** Took ten hours on the 3rd. */
const slow: HostFields = {
  expectedMaintenanceSeconds: hours(10),
  learnedMaintenance: { seenAtMs: at('03'), usualSeconds: hours(1) },
};
const session = { begunAtMs: at('01'), longestSeconds: hours(8) };

interface Row {
  readonly situation: string;
  readonly host?: HostFields;
  readonly needed?: number;
  readonly session?: { readonly begunAtMs: number; readonly longestSeconds?: number };
  readonly again: { readonly fromMs: number; readonly seconds: number } | undefined;
}

describe('a host whose maintenance took longer than every window', () => {
  it.each<Row>([
    {
      situation: 'is tried with the usual time a week after that maintenance',
      again: { fromMs: at('10'), seconds: hours(1) },
    },
    {
      situation: 'is tried a week after the session began, where the maintenance was before',
      session: { ...session, begunAtMs: at('05') },
      again: { fromMs: at('12'), seconds: hours(1) },
    },
    {
      situation: 'is tried with the time of its drain beside the usual one',
      needed: hours(12),
      again: { fromMs: at('10'), seconds: hours(3) },
    },
    {
      situation: 'is not tried where it fits because a window is longer',
      session: { ...session, longestSeconds: hours(10) },
      again: undefined,
    },
    {
      situation: 'is not tried where windows do not close',
      session: { begunAtMs: at('01') },
      again: undefined,
    },
    {
      situation: 'is not tried where the usual time fits into no window either',
      host: { ...slow, learnedMaintenance: { seenAtMs: at('03'), usualSeconds: hours(9) } },
      again: undefined,
    },
    {
      situation: 'is not tried where its drain alone takes longer than every window',
      needed: hours(18),
      again: undefined,
    },
    {
      situation: 'is not tried where the cloud or the request says how long it takes',
      host: { expectedMaintenanceSeconds: hours(10) },
      again: undefined,
    },
  ])('$situation', ({ host = slow, needed = hours(10), session: given = session, again }) => {
    const found = triedAgain(aHostIn('waiting', 'a', host), needed, given);
    expect(found && { fromMs: found.fromMs, seconds: found.seconds }).toEqual(again);
  });
});

it.each([
  { situation: 'while it is drained', host: aHostIn('emptying', 'a', slow), isTried: true },
  { situation: 'while it is maintained', host: aHostIn('maintaining', 'a', slow), isTried: true },
  { situation: 'not while it waits', host: aHostIn('waiting', 'a', slow), isTried: false },
  { situation: 'not once it is done', host: aHostIn('maintained', 'a', slow), isTried: false },
  {
    situation: 'not where its time fits into a window',
    host: aHostIn('emptying', 'a', { ...slow, expectedMaintenanceSeconds: hours(8) }),
    isTried: false,
  },
])('a host is being tried $situation', ({ host, isTried }) => {
  expect(isBeingTried(host, session)).toBe(isTried);
});
