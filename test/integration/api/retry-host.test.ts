/** Retrying a host at the API: its records are as those of a host that has never begun. */
import { apiOn, aSessionRequest, useDatabase } from './api-under-test';

const { db } = useDatabase();

const hosts = ['compute-1', 'compute-2'];
const endedAt = new Date('2026-01-01T01:00:00Z');

/** A session whose canary, compute-1, was set aside in its maintenance. */
const withFailedCanary = async (canary: object, drainStartedAt: Date | null = null) => {
  const { http } = apiOn(db());
  const reply = await http.post('/v1/maintenance').send(aSessionRequest({ hosts, canary, max_failed_hosts: 1 }));
  const { session_id: id } = reply.body as { session_id: string };
  const before = new Date('2026-01-01T00:00:00Z');
  const failed = { phase: 'set_aside', failure: 'no', disabled: true, disabledBefore: false, drainStartedAt: before };
  await db().session.update({ where: { id }, data: { state: 'PLANNED_MAINTENANCE', canaryEndedAt: endedAt } });
  await db().sessionHost.updateMany({
    where: { sessionId: id, hostname: 'compute-1' },
    data: { ...failed, announcedAt: before },
  });
  await db().sessionHost.updateMany({ where: { sessionId: id, hostname: 'compute-2' }, data: { drainStartedAt } });
  await http.post(`/v1/maintenance/${id}/hosts/compute-1/retry`).expect(200);
  const session = await db().session.findUniqueOrThrow({ where: { id } });
  const host = await db().sessionHost.findFirstOrThrow({ where: { sessionId: id, hostname: 'compute-1' } });
  return { session, host };
};

it.each([{ canary: { hosts: 1 } }, { canary: { hosts: ['compute-1'] } }])(
  'a canary host ($canary.hosts) is a canary again, and its maintenance begins anew',
  async ({ canary }) => {
    const { session, host } = await withFailedCanary(canary);
    expect(session.canaryEndedAt).toBeNull();
    expect(host).toMatchObject({ phase: 'waiting', failure: null, announcedAt: null });
    expect(host.firstAt).not.toBeNull();
  },
);

it('once others have begun, it comes among them', async () => {
  const { session, host } = await withFailedCanary({ hosts: 1 }, new Date('2026-01-01T02:00:00Z'));
  expect(session.canaryEndedAt).toEqual(endedAt);
  expect(host).toMatchObject({ phase: 'waiting', announcedAt: null, firstAt: null });
});
