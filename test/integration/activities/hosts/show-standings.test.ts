/** What the cloud shows on hosts, by the records of the sessions that have them in hand. */
import { pino } from 'pino';
import { showStandings } from '../../../../activities/hosts/show-standings';
import type { CloudDriver, ShownStanding } from '../../../../clouds/cloud-driver';
import { recordSession } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const begun = { workflow: 'k8s', begunAt: new Date(0) };

it.each<{ situation: string; session: object; phase?: string; shown: Partial<ShownStanding> | undefined }>([
  { situation: 'waits for its turn', session: begun, shown: { doing: 'planned', isToBeAvoided: true } },
  {
    situation: 'is drained',
    ...{ session: begun, phase: 'emptying', shown: { doing: 'draining', isToBeAvoided: true } },
  },
  { situation: 'goes back to use', session: begun, phase: 'releasing', shown: { doing: 'releasing' } },
  { situation: 'is done', session: begun, phase: 'maintained', shown: undefined },
  { situation: 'waits for the start of its session', session: { workflow: 'k8s' }, shown: { doing: 'planned' } },
  { situation: 'is one of vnf', session: { ...begun, workflow: 'vnf' }, shown: { doing: 'planned' } },
  {
    situation: 'is one of a workflow that works like k8s',
    ...{ session: { ...begun, workflow: 'own', rolling: 'k8s' }, shown: { doing: 'planned', isToBeAvoided: true } },
  },
  {
    situation: 'waits in a session that has failed',
    session: { ...begun, state: 'MAINTENANCE_FAILED' },
    shown: undefined,
  },
  { situation: 'waits in a session that is aborted', session: { ...begun, stopping: 'aborting' }, shown: undefined },
  { situation: 'waits in a session that is deleted', session: { ...begun, deletedAt: new Date() }, shown: undefined },
])('a host that $situation shows $shown', async ({ situation, session, phase = 'waiting', shown }) => {
  const { db } = database;
  const sessionId = await recordSession(db);
  await db.session.update({ where: { id: sessionId }, data: session });
  const host = { hostname: situation, type: 'compute', isCompute: true, phase };
  await db.sessionHost.create({ data: { ...host, sessionId } });
  const seen: ShownStanding[] = [];
  const cloud = {
    showStandings: (standings: ReadonlyMap<string, ShownStanding>, only?: string) => {
      seen.push(...[...standings].flatMap(([name, standing]) => (name === only ? [standing] : [])));
      return Promise.resolve();
    },
  } as Partial<CloudDriver> as CloudDriver;
  await showStandings({ db, cloud, logger: pino({ level: 'silent' }) }, situation);
  expect(seen).toEqual(shown === undefined ? [] : [{ sessionId, ...shown }]);
});
