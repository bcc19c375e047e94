/**
 * GET /v1/maintenance/{session_id}/record: who did what in a session, when and why; and …/report: the same with hosts
 * and tenants, as JSON, Markdown, HTML or CSV; …/tenants: whom to phone; …/moves: the moves that have begun.
 * Additions to the interface.
 */
import { Router } from 'express';
import { formats } from '../../forms/field-types';
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import { parseSessionId } from '../http/path-ids';
import { asAdmin } from '../identity/authorization';
import { invalidQuery } from '../problems/problem-catalogue';
import type { SessionMovesOf } from '../services/session-moves';
import type { SessionRecordOf } from '../services/session-record';
import type { SessionReportOf } from '../services/session-report';
import type { SessionTenantsOf } from '../services/session-tenants';
import { mediaTypes, reportAs, type ReportForm, reportForms } from '../showing/report-forms';

/** @throws ApiError 400 */
const parseForm = ({ format = 'json' }: Readonly<Record<string, unknown>>): ReportForm => {
  const form = reportForms.find((one) => one === format);
  if (form !== undefined) return form;
  throw invalidQuery([{ pointer: '#query/format', message: `must be one of ${reportForms.join(', ')}` }]);
};

/** @throws ApiError 400 */
const parseSince = ({ since }: Readonly<Record<string, unknown>>): Date | undefined => {
  if (since === undefined) return undefined;
  const { check, meaning } = formats['maintenance-time'];
  if (typeof since === 'string' && check(since)) return parseMaintenanceAt(since);
  throw invalidQuery([{ pointer: '#query/since', message: `must be ${meaning}` }]);
};

interface RecordRoutes {
  readonly record: SessionRecordOf;
  readonly report: SessionReportOf;
  readonly tenants: SessionTenantsOf;
  readonly moves: SessionMovesOf;
}

export const createRecordRoutes = ({ record, report, tenants, moves }: RecordRoutes): Router => {
  const router = Router();
  router.get('/maintenance/:session_id/record', asAdmin, async (req, res) => {
    res.json(await record(parseSessionId(req.params)));
  });
  router.get('/maintenance/:session_id/tenants', asAdmin, async (req, res) => {
    res.json(await tenants(parseSessionId(req.params)));
  });
  router.get('/maintenance/:session_id/moves', asAdmin, async (req, res) => {
    res.json(await moves(parseSessionId(req.params), parseSince(req.query)));
  });
  router.get('/maintenance/:session_id/report', asAdmin, async (req, res) => {
    const sessionId = parseSessionId(req.params);
    const form = parseForm(req.query);
    const made = await report(sessionId);
    if (form === 'json') {
      res.json(made);
      return;
    }
    // Never shown in the place of the page: it has names that others have chosen.
    res.set('Content-Disposition', `attachment; filename="session-${sessionId}.${form}"`);
    res.type(mediaTypes[form]).send(reportAs(form, made));
  });
  return router;
};
