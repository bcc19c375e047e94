/** The metrics of the api process for admins, on the port of the API. */
import { Router } from 'express';
import type { ExportedMetrics } from '../../telemetry/metrics/process-registry';
import { asAdmin } from '../identity/authorization';

export const createMetricsRoutes = (metrics: ExportedMetrics): Router => {
  const router = Router();
  router.get('/', asAdmin, async (_req, res) => {
    const text = await metrics.text();
    res.set('Content-Type', metrics.contentType).send(text);
  });
  return router;
};
