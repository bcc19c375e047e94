/** GET /v1/maintenance/{session_id}/record: who did what in a session, when and why. An addition to the interface. */
import { Router } from 'express';
import { parseSessionId } from '../http/path-ids';
import { asAdmin } from '../identity/authorization';
import type { SessionRecordOf } from '../services/session-record';

export const createRecordRoutes = (record: SessionRecordOf): Router => {
  const router = Router();
  router.get('/maintenance/:session_id/record', asAdmin, async (req, res) => {
    res.json(await record(parseSessionId(req.params)));
  });
  return router;
};
