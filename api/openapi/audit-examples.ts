/** The example of the audit in the OpenAPI document. */
import { sessionId } from './example-ids';

export const auditPage = {
  entries: [
    {
      id: '1207',
      begun_at: '2026-11-24T22:14:03.112Z',
      request_id: '0d0c8a52-5ad1-4d4c-8f6b-2f0a6d1f8b11',
      role: 'admin',
      caller: 'b2f7a5a0c3c94a7f8f3a1f6f0d0c1e2b',
      project_id: null,
      address: '192.0.2.17',
      method: 'POST',
      route: '/v1/maintenance/{session_id}/pause',
      path: `/v1/maintenance/${sessionId}/pause`,
      session_id: sessionId,
      body_sha256: null,
      status: 200,
      ended_at: '2026-11-24T22:14:03.164Z',
    },
  ],
  next: null,
} as const;
