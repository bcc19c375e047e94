import { Connection } from '@temporalio/client';
import { Kafka, logLevel } from '../../../events/kafka-client';
import { testServices } from '../setup/services';
import { createTestDatabase } from '../setup/test-database';

describe('the services of the integration tests', () => {
  it('give each test file a migrated database of its own', async () => {
    const first = await createTestDatabase();
    const second = await createTestDatabase();
    await first.db.$executeRaw`CREATE TABLE mine (id int)`;
    await expect(second.db.$queryRaw`SELECT 1 FROM mine`).rejects.toThrow('mine');
    await expect(second.db.session.count()).resolves.toBe(0);
    await first.drop();
    await second.drop();
  });

  it('run a Temporal server', async () => {
    const connection = await Connection.connect({ address: testServices().temporalAddress });
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();
    expect(namespaceInfo?.name).toBe('default');
  });

  it('run a Kafka broker', async () => {
    const brokers = [...testServices().kafkaBrokers];
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await expect(admin.createTopics({ topics: [{ topic: 'tried' }], waitForLeaders: true })).resolves.toBe(true);
    await admin.disconnect();
  });
});
