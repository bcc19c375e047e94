/** The examples of signing in, in the OpenAPI document. */
import { projectId } from './example-ids';

export const signInWays = {
  identity: 'keystone',
  ways: ['token', 'password'],
  temporal_ui_url: 'http://127.0.0.1:8233/namespaces/default/workflows',
} as const;

export const signIn = { user: 'operator', password: 'a password', project: 'admin' } as const;

export const signedIn = { token: 'gAAAAABlx…', expires_at: '2026-04-15T12:43:03.000Z' } as const;

export const whoami = {
  role: 'project',
  cloud_name: 'Region One',
  project_id: projectId,
  project_name: 'vnf-team',
  expires_at: '2026-04-15T12:43:03.000Z',
} as const;
