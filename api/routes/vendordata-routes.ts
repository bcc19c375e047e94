/**
 * POST /v1/vendordata: a target of Nova's dynamic vendor data. Nova asks it for each instance whose guest reads its
 * metadata, so the guest sees what is coming without an agent of ours. It reads only, and soon: Nova waits for some
 * seconds at most, also before an instance boots. An addition to the interface.
 */
import { type RequestHandler, Router } from 'express';
import { findWordsOfProject, type WordOfProject } from '../../prisma/coming/told-coming';
import type { Database } from '../../prisma/database';
import { idOf } from '../../rules/cloud/id';
import { createBodyParser } from '../http/schema-check';
import { assertProjectOrAdmin, principalOf } from '../identity/authorization';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import { type VendordataBody, VendordataRequestSchema } from '../schemas/vendordata-schemas';
import { shownAsEvents } from '../showing/scheduled-events';

const parseRequest = createBodyParser(VendordataRequestSchema, bodyDoesNotFit);

const serialize = (word: WordOfProject): VendordataBody['coming'][number] => ({
  session_id: word.sessionId,
  reason: word.reason,
  status: word.status,
  impact: word.impact,
  starts_at: word.startsAt.toISOString(),
  starts_at_latest: word.latestAt.toISOString(),
  sequence: word.sequence,
});

interface VendordataParts {
  readonly db: Database;
  readonly readBody: readonly RequestHandler[];
}

export const createVendordataRoutes = ({ db, readBody }: VendordataParts): Router => {
  const router = Router();
  router.post('/vendordata', ...readBody, async (req, res) => {
    const { 'project-id': project, 'instance-id': instance } = parseRequest(req.body);
    const projectId = idOf(project);
    assertProjectOrAdmin(principalOf(req), projectId, 'the body names');
    const words = await findWordsOfProject(db, { projectId, instanceId: idOf(instance), statuses: shownAsEvents });
    const answer: VendordataBody = { coming: words.map(serialize) };
    res.json(answer);
  });
  return router;
};
