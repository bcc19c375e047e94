/**
 * A database whose connections another program can use up: the service logs in as a role of its own, and PostgreSQL
 * refuses it with the same code as when all of its connections are taken.
 */
import { randomUUID } from 'node:crypto';
import { type DatabaseLimits, openDatabase } from '../../../prisma/database';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

export interface CrowdedDatabase extends TestDatabase {
  /** The same database, for the test itself: never refused. */
  readonly ofTest: TestDatabase['db'];
  /** Takes every connection from the service, and lets it have no other. */
  useUp(): Promise<void>;
  free(): Promise<void>;
}

export const createCrowdedDatabase = async (limits: DatabaseLimits): Promise<CrowdedDatabase> => {
  const { url, db: ofTest, drop } = await createTestDatabase();
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  const asRole = new URL(url);
  const [owner, database] = [asRole.username, asRole.pathname.slice(1)];
  await ofTest.$executeRawUnsafe(`CREATE ROLE ${role} LOGIN IN ROLE ${owner}`);
  asRole.username = role;
  const db = openDatabase({ url: asRole.href, poolSize: 20, limits });
  const limitTo = (connections: number) =>
    ofTest.$executeRawUnsafe(`ALTER ROLE ${role} CONNECTION LIMIT ${connections}`);
  return {
    url: asRole.href,
    db,
    ofTest,
    async useUp() {
      await limitTo(0);
      await ofTest.$queryRawUnsafe(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}' AND datname = '${database}'`,
      );
    },
    async free() {
      await limitTo(-1);
    },
    async drop() {
      await db.$disconnect();
      await ofTest.$executeRawUnsafe(`DROP ROLE ${role}`);
      await drop();
    },
  };
};
