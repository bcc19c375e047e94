/**
 * GET, PUT and DELETE /v1/projects/{project_id}/terms: what a project says once; GET …/terms/told: what it tells its
 * cloud; POST …/terms/preview: when sessions would end with other terms. Additions to the interface.
 */
import { type RequestHandler, Router } from 'express';
import type { CloudDriver } from '../../clouds/cloud-driver';
import { checkTerms } from '../../forms/check-terms';
import { ProjectTermsSchema } from '../../forms/terms-schema';
import type { Database } from '../../prisma/database';
import { deleteProjectTerms, findProjectTerms, storeProjectTerms } from '../../prisma/terms/project-terms';
import type { ProjectTerms } from '../../rules/cloud/terms';
import { toldOfProjects } from '../../rules/terms/told-terms';
import { parsePathId } from '../http/path-ids';
import { createBodyParser } from '../http/schema-check';
import { asProjectOfPath } from '../identity/authorization';
import { bodyDoesNotFit, termsNotFound, termsNotTold } from '../problems/problem-catalogue';
import { askCloud } from '../services/ask-cloud';
import type { PreviewTerms } from '../services/terms-preview';

const parseTermsBody = createBodyParser(ProjectTermsSchema, bodyDoesNotFit);

interface TermsDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly readBody: readonly RequestHandler[];
  readonly preview: PreviewTerms;
}

/** @throws ApiError 422 */
const parseTerms = (body: unknown, cloud: TermsDeps['cloud']): ProjectTerms => {
  const terms = parseTermsBody(body);
  const errors = checkTerms(terms, { cloud, now: new Date() });
  if (errors.length > 0) throw bodyDoesNotFit(errors);
  return terms;
};

const termsToldTo = async (cloud: CloudDriver): Promise<ReadonlyMap<string, ProjectTerms>> =>
  (await cloud.projectTerms?.()) ?? new Map<string, ProjectTerms>();

export const createTermsRoutes = ({ db, cloud, readBody, preview }: TermsDeps): Router => {
  const router = Router();
  router.get('/projects/:project_id/terms', asProjectOfPath, async (req, res) => {
    const projectId = parsePathId(req.params, 'project_id');
    const terms = await findProjectTerms(db, projectId);
    if (terms === undefined) throw termsNotFound(projectId.text);
    res.json(terms);
  });
  router.get('/projects/:project_id/terms/told', asProjectOfPath, async (req, res) => {
    const { key, text } = parsePathId(req.params, 'project_id');
    const terms = toldOfProjects(await askCloud(cloud, termsToldTo)).get(key);
    if (terms === undefined) throw termsNotTold(text);
    res.json(terms);
  });
  router.put('/projects/:project_id/terms', asProjectOfPath, ...readBody, async (req, res) => {
    await storeProjectTerms(db, parsePathId(req.params, 'project_id'), parseTerms(req.body, cloud));
    res.status(200).end();
  });
  router.post('/projects/:project_id/terms/preview', asProjectOfPath, ...readBody, async (req, res) => {
    res.json(await preview(parsePathId(req.params, 'project_id'), parseTerms(req.body, cloud)));
  });
  router.delete('/projects/:project_id/terms', asProjectOfPath, async (req, res) => {
    await deleteProjectTerms(db, parsePathId(req.params, 'project_id'));
    res.status(200).end();
  });
  return router;
};
