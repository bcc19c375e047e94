/** GET /v1/choices: what a create request can name. An addition to the interface. */
import { Router } from 'express';
import { asAdmin } from '../identity/authorization';
import { parseChoicesQuery } from '../parsing/choices-query';
import { type ChoicesDeps, findChoices } from '../services/choices';

export const createChoiceRoutes = (deps: ChoicesDeps): Router => {
  const router = Router();
  router.get('/choices', asAdmin, async (req, res) => {
    const { isCounted } = parseChoicesQuery(req.query);
    res.json(await findChoices(deps, isCounted));
  });
  return router;
};
