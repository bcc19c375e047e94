/** The requests of an admin to a running session, and about one host of it. */
import { type HostRequest, hostRequests } from '../../rules/requests/host-request';
import { ReleaseHostSchema, SteeredHostSchema } from '../schemas/host-request-schemas';
import { SessionArchivedSchema, SessionInFlightSchema, SessionRequestSchema } from '../schemas/session-schemas';
import { body, type Operation } from './documented-endpoint';

const requestOfAdmin = { method: 'post', tag: 'Sessions', access: 'admin', errors: [400, 404, 422, 500] } as const;

const anyRequest = {
  ...requestOfAdmin,
  request: body('SessionRequest', SessionRequestSchema),
  mayLackBody: true,
} as const;

const archiveOperation: Operation = {
  ...anyRequest,
  path: '/v1/maintenance/{session_id}/archive',
  id: 'archiveSession',
  summary:
    'Archive a session that is over: it gives its hosts back, leaves the list, and stays on record. Archived already: 200. ' +
    'An addition to the specification',
  response: body('SessionArchived', SessionArchivedSchema),
};

const runningOperations: readonly Operation[] = (
  [
    [
      'pause',
      'pauseSession',
      'Pause the session: nothing new begins, and everything in flight ends. Paused already: 200',
    ],
    ['resume', 'goOnWithSession', 'Continue a paused session at once. Not paused: 200'],
    [
      'abort',
      'abortSession',
      'Stop the session: when nothing is in flight any more it has failed, and PUT can continue it',
    ],
  ] as const
).map(([request, id, summary]) => ({
  ...anyRequest,
  path: `/v1/maintenance/{session_id}/${request}`,
  id,
  summary: `${summary}. An addition to the specification`,
  response: body('SessionInFlight', SessionInFlightSchema),
}));

/** Additions to the specification: an admin's requests to a session. */
export const requestOperations: readonly Operation[] = [...runningOperations, archiveOperation];

const requestedOfHosts: Readonly<Record<HostRequest, { readonly id: string; readonly summary: string }>> = {
  skip: {
    id: 'skipHost',
    summary: 'Leave a host out of the session; moves that have begun end first. Skipped already: 200',
  },
  retry: { id: 'retryHost', summary: 'Work again on a host that was set aside or skipped. Already done: 200' },
  first: {
    id: 'drainHostFirst',
    summary: 'Drain a host before the others, as far as constraints allow. Under work already: 200',
  },
  ignore: {
    id: 'ignoreMarksOnHost',
    summary:
      'Ignore the marks that are on a host now by which others say that they are at work on it. Ignored already: 200',
  },
};

const releaseOperation: Operation = {
  ...requestOfAdmin,
  path: '/v1/maintenance/{session_id}/hosts/{hostname}/release',
  id: 'releaseHost',
  summary:
    'Release a host on which a person works by the action plug-in hold. Released already: 200, and the first release ' +
    'counts. An addition to the specification',
  request: body('ReleaseHost', ReleaseHostSchema),
  response: body('SteeredHost', SteeredHostSchema),
};

const askedOfHosts: readonly Operation[] = hostRequests.map((request) => ({
  ...anyRequest,
  path: `/v1/maintenance/{session_id}/hosts/{hostname}/${request}`,
  id: requestedOfHosts[request].id,
  summary: `${requestedOfHosts[request].summary}. An addition to the specification`,
  response: body('SteeredHost', SteeredHostSchema),
}));

/** Additions to the interface: what an admin may ask for one host of a session. */
export const hostOperations: readonly Operation[] = [...askedOfHosts, releaseOperation];
