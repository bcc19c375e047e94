/** For pages on which no manager replies: their reader need not wait for the windows of the stack in this folder. */
import { localDatabaseUrl } from '../../../cli/stack/local-database';
import { portFile, readRememberedPort } from '../../../cli/stack/ports';
import { createLogger } from '../../../config/logger';
import { openDatabase } from '../../../prisma/database';
import { connectTemporal } from '../../../temporal/connect';
import { createSessionControl } from '../../../temporal/call-workflows';
import { endWindows } from '../rig/reply-windows';

export interface Unanswered {
  /** Ends the windows of the session that are open now. */
  endWindows(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

export const unanswered = async (dataDir: string): Promise<Unanswered> => {
  const db = openDatabase({ url: await localDatabaseUrl(dataDir), poolSize: 1 });
  const port = await readRememberedPort(portFile(dataDir, 'temporal'));
  const { client, close } = await connectTemporal({
    temporalAddress: `127.0.0.1:${port}`,
    temporalNamespace: 'default',
  });
  const control = createSessionControl({ client, db, logger: createLogger({ logLevel: 'warn' }, 'reader') });
  return {
    endWindows: (sessionId) => endWindows({ db, services: { control } }, sessionId),
    async close() {
      await close();
      await db.$disconnect();
    },
  };
};
