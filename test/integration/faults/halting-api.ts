/**
 * An api process that stands still at a moment. Arguments: the folder of the moments' files, and the moments with
 * commas between them (at those of other processes the api runs as usual).
 */
import { type ApiDeps, createApi } from '../../../api/app';
import { runApi } from '../../../api/run-api';
import { loadSettings } from '../../../config/settings';
import type { WorkflowCalls } from '../../../temporal/workflow-calls';
import { halt } from './moments';

const [folder = '', moments = ''] = process.argv.slice(2);

/** The first signal after a reply's commit: stopped before it, the answer is in the database and nobody was told. */
const haltingCalls = ({ db, workflowCalls }: Pick<ApiDeps, 'db' | 'workflowCalls'>): WorkflowCalls => ({
  ...workflowCalls,
  async wakeSession(sessionId) {
    const answersAboutHosts = await db.question.count({
      where: { sessionId, status: 'answered', hostname: { not: null } },
    });
    if (moments.split(',').includes('reply') && answersAboutHosts > 0) await halt(folder, 'reply');
    await workflowCalls.wakeSession(sessionId);
  },
});

void runApi(loadSettings(process.env), {
  makeApi: (deps) => createApi({ ...deps, workflowCalls: haltingCalls(deps) }),
});
