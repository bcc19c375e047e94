/** Decides what the status of a move means for its claim: how the action has ended, if it has. */
import type { MoveStatus } from '../../clouds/cloud-driver';
import type { ActionEnd } from '../../prisma/moves/claim-end';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { whyByProject } from '../../rules/cloud/departure';
import type { Services } from '../services';
import { findClaimedInstance } from './look-before-start';
import type { WatchedMove } from './watched-move';

export type EndOfAction = ActionEnd & { readonly abort?: boolean; readonly passesInSeconds?: number | undefined };

/** An instance that turns out to be one which the cloud cannot move is left to its project: the rules decide again. */
export const endOrPutOff = async (
  services: Pick<Services, 'cloud' | 'db'>,
  claim: ClaimRecord,
  status: WatchedMove,
): Promise<EndOfAction> => {
  const isBlocked = status.kind === 'failed' && status.isBlocked;
  const instance = isBlocked ? await findClaimedInstance(services, claim) : undefined;
  if (!isBlocked || instance === undefined || whyByProject(instance) === undefined) return endByStatus(claim, status);
  return { outcome: 'dropped', failure: status.reason, ...unlessForced(claim) };
};

/** An action is untouched when it ends before it began. One that is forced follows a default action that was tried. */
const unlessForced = ({ forcedAt }: ClaimRecord) => (forcedAt === null ? { isUntouched: true as const } : {});

/** Nothing came of the action, and nothing speaks against it: the rules decide again. */
type PutOff = Extract<WatchedMove, { kind: 'later' | 'again' | 'givenUp' }>;

const isPutOff = (status: WatchedMove): status is PutOff =>
  status.kind === 'later' || status.kind === 'again' || status.kind === 'givenUp';

const whyPutOff = (status: PutOff): string => {
  switch (status.kind) {
    case 'later':
      return `not begun: ${status.because}`;
    case 'again':
      return status.reason;
    case 'givenUp':
      return `given up, because ${status.because}`;
  }
};

/** The end of an action that was watched, by its last status. */
export const endByStatus = (claim: ClaimRecord, status: WatchedMove): EndOfAction => {
  if (isPutOff(status)) return endPutOff(claim, status);
  switch (status.kind) {
    case 'done':
      return { outcome: 'done', host: status.host, ...(status.trouble !== undefined && { failure: status.trouble }) };
    case 'gone':
      return { outcome: 'gone' };
    case 'refused':
      return { outcome: 'refused', failure: status.reason, passesInSeconds: status.passesInSeconds };
    case 'failed':
      return { ...notDone(claim, reasonIn(claim, status)), ...(status.isRefusedStill && { isRefusedStill: true }) };
    case 'unknown':
      return notDone(claim, reasonIn(claim, status));
    case 'running':
      return { ...notDone(claim, reasonIn(claim, status)), abort: true };
  }
};

const endPutOff = (claim: ClaimRecord, status: PutOff): EndOfAction => ({
  outcome: 'dropped',
  failure: whyPutOff(status),
  ...(status.kind === 'givenUp' ? { abort: true } : unlessForced(claim)),
});

/** The reason why a move is not done. */
export const reasonIn = ({ action }: ClaimRecord, status: WatchedMove): string => {
  if (status.kind === 'failed' || status.kind === 'refused') return status.reason;
  if (status.kind !== 'running') return 'the cloud knows nothing of the move';
  return `${action} did not end within its limit${status.progress === undefined ? '' : `: ${status.progress}`}`;
};

/** An own action that the project did not carry out is not a failure: the service moves the instance itself. */
const notDone = ({ action }: ClaimRecord, failure: string): ActionEnd => ({
  outcome: action === 'OWN_ACTION' ? 'expired' : 'failed',
  failure,
});

/** The end of an action that nobody watches; undefined: it goes on. */
export const endUnwatched = (claim: ClaimRecord, status: MoveStatus): ActionEnd | undefined => {
  if (isPutOff(status)) return { outcome: 'dropped', failure: whyPutOff(status) };
  switch (status.kind) {
    case 'done':
    case 'gone':
      return endByStatus(claim, status);
    case 'refused':
      return { outcome: 'refused', failure: status.reason };
    case 'failed':
      // A live migration that failed may still be forced: the host's next workflow decides that again.
      return { outcome: claim.forcedAt === null ? 'dropped' : 'failed', failure: status.reason };
    case 'unknown':
      return claim.startedAt === null ? { outcome: 'dropped' } : { outcome: 'dropped', failure: 'never begun' };
    case 'running':
      return undefined;
  }
};
