/**
 * Serves the document of Azure's Scheduled Events for a project or one of its instances: with a token, and at a secret
 * address for agents that can only have their address changed. An addition to the interface.
 */
import { type Request, type RequestHandler, Router } from 'express';
import type { SecretTarget } from '../../prisma/coming/secret-addresses';
import { idOf } from '../../rules/cloud/id';
import { parsePathId } from '../http/path-ids';
import { createBodyParser } from '../http/schema-check';
import { actAsProject, asProjectOfPath } from '../identity/authorization';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import { StartRequestsSchema } from '../schemas/scheduled-event-schemas';
import type { EventsTarget, ScheduledEvents } from '../services/scheduled-events';
import type { SecretAddresses } from '../services/secret-addresses';

const parseStartRequests = createBodyParser(StartRequestsSchema, bodyDoesNotFit);
const idsIn = (body: unknown): readonly string[] => parseStartRequests(body).StartRequests.map(({ EventId: id }) => id);

interface ScheduledEventParts {
  readonly events: ScheduledEvents;
  readonly secrets: SecretAddresses;
}

const targetOf = (params: Readonly<Record<string, unknown>>): SecretTarget => ({
  kind: 'scheduled_events',
  projectId: parsePathId(params, 'project_id'),
  ...('instance_id' in params && { instanceId: parsePathId(params, 'instance_id') }),
});

const whose = ['/projects/:project_id', '/projects/:project_id/instances/:instance_id'];

export const createScheduledEventRoutes = ({
  events,
  secrets,
  readBody,
}: ScheduledEventParts & { readonly readBody: readonly RequestHandler[] }): Router => {
  const router = Router();
  const [documents, addresses] = [
    whose.map((path) => `${path}/scheduledevents`),
    whose.map((path) => `${path}/scheduledevents/address`),
  ];
  router.get(documents, asProjectOfPath, async (req, res) => {
    res.json(await events.show(targetOf(req.params)));
  });
  router.post(documents, asProjectOfPath, ...readBody, async (req, res) => {
    await events.acknowledge(targetOf(req.params), idsIn(req.body));
    res.status(200).end();
  });
  router.post(addresses, asProjectOfPath, async (req, res) => {
    res.json(await secrets.make(targetOf(req.params)));
  });
  router.get(addresses, asProjectOfPath, async (req, res) => {
    res.json(await secrets.find(targetOf(req.params)));
  });
  router.delete(addresses, asProjectOfPath, async (req, res) => {
    await secrets.withdraw(targetOf(req.params));
    res.status(200).end();
  });
  return router;
};

interface SecretParts extends ScheduledEventParts {
  readonly auditor: RequestHandler;
  readonly readBody: readonly RequestHandler[];
}

/** @returns the routes that stand before the check of the token */
export const createSecretEventRoutes = ({ events, secrets, auditor, readBody }: SecretParts): Router => {
  const targets = new WeakMap<Request, EventsTarget>();
  const open: RequestHandler = async (req, _res, next) => {
    const { projectId, instanceId } = await secrets.open('scheduled_events', String(req.params['secret']));
    const target = { projectId: idOf(projectId), ...(instanceId !== null && { instanceId: idOf(instanceId) }) };
    targets.set(req, target);
    actAsProject(req, target.projectId, 'secret address');
    next();
  };
  const targetOfSecret = (req: Request): EventsTarget => {
    const target = targets.get(req);
    if (target === undefined) throw new Error('the route is not behind the check of the secret');
    return target;
  };
  const router = Router();
  router.get('/scheduledevents/:secret', open, async (req, res) => {
    res.json(await events.show(targetOfSecret(req)));
  });
  router.post('/scheduledevents/:secret', open, auditor, ...readBody, async (req, res) => {
    await events.acknowledge(targetOfSecret(req), idsIn(req.body));
    res.status(200).end();
  });
  return router;
};
