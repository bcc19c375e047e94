/** The admin's endpoints for freezes: an addition to the interface. */
import { type RequestHandler, Router } from 'express';
import { createBodyParser } from '../http/schema-check';
import { asAdmin } from '../identity/authorization';
import { parseFreezeName } from '../parsing/freezes';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import { WriteFreezeSchema } from '../schemas/freeze-schemas';
import type { FreezeNow, Freezes } from '../services/freezes';
import { serializeFreeze } from '../showing/serialize-freeze';

const parseWrite = createBodyParser(WriteFreezeSchema, bodyDoesNotFit);

const show = ({ stored, now }: FreezeNow) => serializeFreeze(stored, now);

export const createFreezeRoutes = ({
  freezes,
  readBody,
}: {
  readonly freezes: Freezes;
  readonly readBody: readonly RequestHandler[];
}): Router => {
  const router = Router();
  router.get('/freezes', asAdmin, async (_req, res) => {
    res.json({ freezes: (await freezes.list()).map(show) });
  });
  router.get('/freezes/:name', asAdmin, async (req, res) => {
    res.json(show(await freezes.find(parseFreezeName(req.params))));
  });
  router.put('/freezes/:name', asAdmin, ...readBody, async (req, res) => {
    res.json(show(await freezes.write(parseFreezeName(req.params), parseWrite(req.body))));
  });
  router.delete('/freezes/:name', asAdmin, async (req, res) => {
    await freezes.remove(parseFreezeName(req.params));
    res.status(200).end();
  });
  return router;
};
