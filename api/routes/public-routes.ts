/** Endpoints that need no identity: health, the OpenAPI document, and its readable form, which works offline. */
import express, { type RequestHandler, Router } from 'express';
import absolutePath from 'swagger-ui-dist/absolute-path';
import { policyFor } from '../http/content-policy';
import type { OpenApiDocument } from '../openapi/document';

export interface Readiness {
  /** True when a session could run. */
  readonly ready: boolean;
  /** The problems that prevent it, one line each. */
  readonly problems: readonly string[];
}

/** Replaces the package's own page, which shows a document from the internet. */
const docsInitializer = `window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: '../openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis],
  });
};
`;

/**
 * It shares its origin with the operator's page, which keeps tokens: it may run and load its own files alone. Pictures
 * stand in its style sheet.
 */
const docsPolicy = policyFor({ 'img-src': ["'self'", 'data:'] });

const setDocsPolicy: RequestHandler = (_req, res, next) => {
  res.set({ 'Content-Security-Policy': docsPolicy, 'Cross-Origin-Opener-Policy': 'same-origin' });
  next();
};

/** Relative, because a proxy may serve all of this under a path of its own. */
const toFolder: RequestHandler = (req, res, next) => {
  if (req.path.endsWith('/')) next();
  else res.redirect(301, 'docs/');
};

export const createPublicRoutes = ({
  document,
  readiness,
}: {
  readonly document: OpenApiDocument;
  readonly readiness: () => Promise<Readiness>;
}): Router => {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const { ready, problems } = await readiness();
    res.status(ready ? 200 : 503).json({ ready, problems });
  });
  router.get('/openapi.json', (_req, res) => {
    res.json(document);
  });
  router.use('/docs', setDocsPolicy);
  router.get('/docs/swagger-initializer.js', (_req, res) => {
    res.type('text/javascript').send(docsInitializer);
  });
  router.get('/docs', toFolder);
  router.use('/docs', express.static(absolutePath(), { redirect: false }));
  return router;
};
