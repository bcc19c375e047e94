import { createDecisionTurns, type DecisionTurn } from '../../../../activities/decisions/decision-turns';
import type { Services } from '../../../../activities/services';
import type { CloudSnapshot } from '../../../../snapshot/look-at-cloud';

const turns = createDecisionTurns();

// Only compared by what it is.
const aCloud = () => ({}) as Services['cloud'];
const aSnapshot = () => ({}) as CloudSnapshot;

const opened = () => {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open: () => open() };
};

/** Takes a turn in which it looks, if no look serves it. @returns the snapshot */
const lookInTurn = (sessionId: string, cloud: Services['cloud'], listing: 'listHosts' | 'listHostsLately') =>
  turns.take(
    sessionId,
    async (turn) => turn.latestLook(cloud, listing) ?? turn.look(cloud, listing, () => Promise.resolve(aSnapshot())),
  );

it('lets those that waited while another one looked decide on one look', async () => {
  const [cloud, first] = [aCloud(), opened()];
  const begun = turns.take('first', async (turn) => {
    await first.isOpen;
    return turn.look(cloud, 'listHostsLately', () => Promise.resolve(aSnapshot()));
  });
  const waited = [lookInTurn('second', cloud, 'listHostsLately'), lookInTurn('third', cloud, 'listHostsLately')];
  first.open();
  const snapshots = await Promise.all([begun, ...waited]);
  expect(new Set(snapshots).size).toBe(1);
});

it('never gives a session a look that began before it asked', async () => {
  const [cloud, first] = [aCloud(), opened()];
  let later: Promise<CloudSnapshot> | undefined;
  const begun = turns.take('first', (turn) =>
    turn.look(cloud, 'listHostsLately', async () => {
      later = lookInTurn('second', cloud, 'listHostsLately');
      await first.isOpen;
      return aSnapshot();
    }),
  );
  first.open();
  expect(await later).not.toBe(await begun);
});

it.each<{
  situation: string;
  has: 'listHosts' | 'listHostsLately';
  wants: 'listHosts' | 'listHostsLately';
  serves: boolean;
}>([
  { situation: 'hosts as they are now', has: 'listHosts', wants: 'listHostsLately', serves: true },
  { situation: 'hosts as they were lately', has: 'listHostsLately', wants: 'listHosts', serves: false },
])('a look at $situation serves a session that wants $wants: $serves', async ({ has, wants, serves }) => {
  const cloud = aCloud();
  const seen = await turns.take('first', async (turn: DecisionTurn) => {
    const snapshot = await turn.look(cloud, has, () => Promise.resolve(aSnapshot()));
    return turn.latestLook(cloud, wants) === snapshot;
  });
  expect(seen).toBe(serves);
});

it('tells that a session is about to decide until its turn begins', async () => {
  const first = opened();
  const begun = turns.take('first', () => first.isOpen);
  const second = turns.take('second', () => Promise.resolve(turns.isAboutToDecide('second')));
  expect(turns.isAboutToDecide('second')).toBe(true);
  first.open();
  await begun;
  expect(await second).toBe(false);
});

it('makes no decision for which nobody waits any more, and tells of none', async () => {
  const [first, over] = [opened(), new AbortController()];
  const decide = jest.fn(() => Promise.resolve());
  const begun = turns.take('first', () => first.isOpen);
  const givenUp = turns.take('second', decide, over.signal);
  const triedAgain = turns.take('third', decide, new AbortController().signal);
  over.abort(new Error('given up'));
  expect([turns.isAboutToDecide('second'), turns.isAboutToDecide('third')]).toEqual([false, true]);
  first.open();
  await begun;
  await expect(givenUp).rejects.toThrow('given up');
  await triedAgain;
  expect(decide).toHaveBeenCalledTimes(1);
});
