/** What a start changes in the namespace of Temporal while another process starts. */
import type { Client } from '@temporalio/client';
import { prepareNamespace } from '../../../temporal/prepare-namespace';

const invalid = Object.assign(new Error('3 INVALID_ARGUMENT: invalid search attribute'), {
  code: 3,
  details: 'invalid search attribute',
  metadata: {},
});

it('adds nothing where another process has added all between its two looks', async () => {
  const added = jest.fn(() => Promise.resolve());
  let looks = 0;
  const client = {
    options: { namespace: 'default' },
    workflowService: {
      describeNamespace: () => Promise.resolve({ config: { workflowExecutionRetentionTtl: { seconds: 2_592_000 } } }),
    },
    workflow: { count: () => ((looks += 1) === 1 ? Promise.reject(invalid) : Promise.resolve({ count: 0 })) },
    connection: { operatorService: { addSearchAttributes: added } },
  };
  await prepareNamespace(client as unknown as Client);
  expect(looks).toBeGreaterThan(1);
  expect(added).not.toHaveBeenCalled();
});
