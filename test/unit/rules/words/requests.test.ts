import { requestInWords } from '../../../../rules/words/requests';

const session = '/v1/maintenance/{session_id}';

it.each<{ method: string; route: string | null; path: string; details?: string; says: string }>([
  { method: 'POST', route: `${session}/pause`, path: '/v1/maintenance/1/pause', says: 'paused the session' },
  {
    ...{ method: 'POST', route: `${session}/hosts/{hostname}/skip`, path: '/v1/maintenance/1/hosts/rack%201/skip' },
    says: 'skipped host rack 1',
  },
  {
    ...{ method: 'PUT', route: session, path: '/v1/maintenance/1', details: 'from PLANNED_MAINTENANCE' },
    says: 'continued the failed session: from PLANNED_MAINTENANCE',
  },
  {
    ...{ method: 'PUT', route: `${session}/{project_id}`, path: '/v1/maintenance/1/web', details: 'NACK_MAINTENANCE' },
    says: 'replied NACK_MAINTENANCE',
  },
  {
    ...{ method: 'PUT', route: `${session}/{project_id}/{instance_id}`, path: '/v1/maintenance/1/web/vm-1' },
    ...{ details: 'ACK_PLANNED_MAINTENANCE', says: 'replied ACK_PLANNED_MAINTENANCE for instance vm-1' },
  },
  {
    ...{ method: 'PUT', route: '/v1/projects/{project_id}/terms', path: '/v1/projects/web/terms' },
    says: 'stored terms of project web',
  },
  { method: 'PUT', route: null, path: '/v1/nothing', says: 'PUT /v1/nothing' },
])('$method $path is: $says', ({ says, details, ...request }) => {
  expect(requestInWords({ ...request, details: details ?? null })).toBe(says);
});
