/** The calendar of what is coming for a project, by its token and at a secret address. An addition to the interface. */
import { type Response, Router } from 'express';
import type { SecretTarget } from '../../prisma/coming/secret-addresses';
import type { Database } from '../../prisma/database';
import { idOf } from '../../rules/cloud/id';
import { parsePathId } from '../http/path-ids';
import { asProjectOfPath } from '../identity/authorization';
import { projectCalendar } from '../services/coming-calendar';
import type { SecretAddresses } from '../services/secret-addresses';

interface CalendarParts {
  readonly db: Database;
  readonly secrets: SecretAddresses;
}

const send = (res: Response, calendar: string): void => {
  res.type('text/calendar; charset=utf-8').send(calendar);
};

const targetOf = (params: Readonly<Record<string, unknown>>): SecretTarget => ({
  kind: 'calendar',
  projectId: parsePathId(params, 'project_id'),
});

export const createCalendarRoutes = ({ db, secrets }: CalendarParts): Router => {
  const router = Router();
  router.get('/projects/:project_id/coming.ics', asProjectOfPath, async (req, res) => {
    send(res, await projectCalendar(db, parsePathId(req.params, 'project_id')));
  });
  router.post('/projects/:project_id/calendar', asProjectOfPath, async (req, res) => {
    res.json(await secrets.make(targetOf(req.params)));
  });
  router.get('/projects/:project_id/calendar', asProjectOfPath, async (req, res) => {
    res.json(await secrets.find(targetOf(req.params)));
  });
  router.delete('/projects/:project_id/calendar', asProjectOfPath, async (req, res) => {
    await secrets.withdraw(targetOf(req.params));
    res.status(200).end();
  });
  return router;
};

/** @returns the route that stands before the check of the token */
export const createSecretCalendarRoutes = ({ db, secrets }: CalendarParts): Router => {
  const router = Router();
  router.get('/calendars/:secret.ics', async (req, res) => {
    const { projectId } = await secrets.open('calendar', req.params.secret);
    send(res, await projectCalendar(db, idOf(projectId)));
  });
  return router;
};
