/** An API process that starts wakes all sessions that an earlier process may have left without a wake-up. */
import { wakeAfterStart } from '../../../api/wake-after-start';
import { apiOn, aSessionRequest, useDatabase } from './api-under-test';

const { db } = useDatabase();

it('wakes the sessions that run and their hosts that are being drained, and nobody else', async () => {
  const { http, workflowCalls } = apiOn(db());
  const create = async (hosts: readonly string[], state: string): Promise<string> => {
    const reply = await http.post('/v1/maintenance').send(aSessionRequest({ hosts })).expect(200);
    const { session_id: id } = reply.body as { session_id: string };
    await db().session.update({ where: { id }, data: { state } });
    return id;
  };
  const running = await create(['compute-1', 'compute-2'], 'PLANNED_MAINTENANCE');
  await create(['compute-3'], 'MAINTENANCE_FAILED');
  await db().sessionHost.updateMany({ where: { hostname: 'compute-1' }, data: { phase: 'emptying' } });
  const before = workflowCalls.calls.length;
  await wakeAfterStart({ db: db(), workflowCalls });
  expect(workflowCalls.calls.slice(before)).toEqual([`wakeSession ${running}`, `wakeHost ${running} compute-1`]);
});
