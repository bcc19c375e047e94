/** Readers of pages on which no manager replies need not wait for the reply windows of the stack in this folder. */
import { localDatabaseUrl } from '../../../cli/stack/local-database';
import { portFile, readRememberedPort } from '../../../cli/stack/ports';
import { createLogger } from '../../../config/logger';
import { openDatabase } from '../../../prisma/database';
import { createWorkflowCalls } from '../../../temporal/call-workflows';
import { connectTemporal } from '../../../temporal/connect';
import { endReplyWindows } from '../rig/reply-windows';

export interface Unanswered {
  /** Ends the windows of the session that are open now. */
  endReplyWindows(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

export const unanswered = async (dataDir: string): Promise<Unanswered> => {
  const db = openDatabase({ url: await localDatabaseUrl(dataDir), poolSize: 1 });
  const port = await readRememberedPort(portFile(dataDir, 'temporal'));
  const { client, close } = await connectTemporal({
    temporalAddress: `127.0.0.1:${port}`,
    temporalNamespace: 'default',
  });
  const workflowCalls = createWorkflowCalls({ client, db, logger: createLogger({ logLevel: 'warn' }, 'reader') });
  return {
    endReplyWindows: (sessionId) => endReplyWindows({ db, services: { workflowCalls } }, sessionId),
    async close() {
      await close();
      await db.$disconnect();
    },
  };
};
