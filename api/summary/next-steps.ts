/** The requests that an admin can send to a session now, by the decisions that also answer such requests. */
import type { HostRecord } from '../../prisma/session/session-detail';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { decideHostRequest, requestedHostOf } from '../../rules/requests/host-request';
import {
  decideRequest,
  requestedOf,
  type RequestedSession,
  type SessionRequest,
} from '../../rules/requests/session-request';
import type { NextStepBody } from '../schemas/summary-schemas';

const hostsShown = 20;

export interface StepFacts {
  readonly session: SessionProgress;
  readonly hosts: readonly HostRecord[];
  /** Hosts under work that wait. */
  readonly stuck: ReadonlySet<string>;
}

export const nextStepsOf = ({ session, hosts, stuck }: StepFacts): NextStepBody[] => {
  const requested = requestedOf(session);
  const path = `/v1/maintenance/${session.id}`;
  const may = (request: SessionRequest): boolean => decideRequest(request, requested).kind === 'change';
  const step = (request: NextStepBody['request'], because: string): NextStepBody => ({
    request,
    method: 'POST',
    path: `${path}/${request}`,
    because,
    hosts: [],
  });
  const ofHosts = (request: 'retry' | 'skip', names: readonly string[], because: string): NextStepBody[] =>
    names.length === 0
      ? []
      : [{ ...step(request, because), path: `${path}/hosts/{hostname}/${request}`, hosts: names.slice(0, hostsShown) }];
  const hostsFor = (request: 'retry' | 'skip', among: (host: HostRecord) => boolean): string[] =>
    hosts
      .filter(among)
      .filter((host) => decideHostRequest(request, requestedHostOf(host), requested).kind === 'change')
      .map(({ hostname }) => hostname);
  if (session.archivedAt !== null) return [{ ...step('delete', deletion(session)), method: 'DELETE', path }];
  return [
    ...(may('resume') ? [step('resume', 'the session goes on at once')] : []),
    ...(mayContinue(requested)
      ? [{ ...step('continue', `the session goes on from ${session.prevState}`), method: 'PUT', path }]
      : []),
    ...ofHosts('retry', hostsFor('retry', isLeftOut), 'the session works on the host again'),
    ...ofHosts(
      'skip',
      hostsFor('skip', ({ hostname }) => stuck.has(hostname)),
      'the session goes on without the host',
    ),
    ...(may('pause') ? [step('pause', 'nothing new begins, and everything in flight ends')] : []),
    ...(may('abort') ? [step('abort', 'everything in flight ends, and the session is aborted')] : []),
    ...(mayArchive(session) ? [step('archive', 'the session stays on record, and gives its hosts back')] : []),
    ...(requested.isDeleting ? [] : [{ ...step('delete', deletion(session)), method: 'DELETE', path }]),
  ];
};

const mayArchive = ({ state, deleteRequestedAt, continueRequestId }: SessionProgress): boolean =>
  (state === 'MAINTENANCE_DONE' || state === 'MAINTENANCE_FAILED') &&
  deleteRequestedAt === null &&
  continueRequestId === null;

const deletion = ({ state }: SessionProgress): string =>
  state === 'MAINTENANCE_DONE' || state === 'MAINTENANCE_FAILED'
    ? 'the session and its records are removed'
    : 'the session is aborted and removed';

const isLeftOut = ({ phase }: HostRecord): boolean => phase === 'set_aside' || phase === 'skipped';

const mayContinue = ({ state, isContinuing, isDeleting }: RequestedSession): boolean =>
  state === 'MAINTENANCE_FAILED' && !isContinuing && !isDeleting;
