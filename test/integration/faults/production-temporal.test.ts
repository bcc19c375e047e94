/** A session on the Temporal server that deployments run, with two APIs and two workers, of which one is killed. */
import { runFireCase } from './fire-case';

it('on the Temporal of deployments another worker goes on with a move when one is killed, and nothing happens twice', async () => {
  const outcome = await runFireCase([{ victim: 'worker', moment: 'mid-move' }], {
    ...{ workers: 2, apis: 2 },
    ownServers: 'production-temporal',
  });
  expect(outcome.state).toBe('MAINTENANCE_DONE');
  expect(outcome.violations).toEqual([]);
});
