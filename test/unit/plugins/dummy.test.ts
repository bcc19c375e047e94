/** The action plug-in `dummy`: how long it takes, when it fails, that it stops. */
import type { ActionPluginRun } from '../../../plugins/actions/action-plugin';
import { dummy } from '../../../plugins/actions/dummy';

const aRun = (given: Partial<ActionPluginRun> = {}): ActionPluginRun => ({
  session: { id: '1', workflow: 'default', state: 'PLANNED_MAINTENANCE' },
  metadata: {},
  earlierAttempts: 0,
  signal: new AbortController().signal,
  log: () => undefined,
  ...given,
});

it.each([
  { what: 'its own seconds', given: { metadata: { seconds: 0.1 }, maintenanceSeconds: 9 }, state: 'spent 0.1 s' },
  { what: "the cloud's time for the host", given: { maintenanceSeconds: 0.2 }, state: 'spent 0.2 s' },
  { what: 'nothing where nobody says', given: {}, state: 'spent 0.0 s' },
  { what: 'nothing for seconds that are no number', given: { metadata: { seconds: 'long' } }, state: 'spent 0.0 s' },
])('spends $what', async ({ given, state }) => {
  expect(await dummy.run(aRun(given))).toEqual({ state });
});

it.each([
  { earlierAttempts: 0, outcome: 'fails' },
  { earlierAttempts: 1, outcome: 'fails' },
  { earlierAttempts: 2, outcome: 'works' },
])('$outcome after $earlierAttempts runs when told to fail twice', async ({ earlierAttempts, outcome }) => {
  const ran = dummy.run(aRun({ metadata: { fail_times: 2 }, earlierAttempts }));
  const seen = await ran.then(
    () => 'works',
    (error: unknown) => (error instanceof Error ? error.name : 'threw'),
  );
  expect(seen).toBe(outcome === 'works' ? 'works' : 'ActionPluginFailure');
});

it('ends at once when the session is aborted', async () => {
  const aborted = AbortSignal.abort();
  await expect(dummy.run(aRun({ metadata: { seconds: 60 }, signal: aborted }))).rejects.toThrow(/abort/i);
});
