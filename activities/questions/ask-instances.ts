/**
 * Asks about single instances, each under a claim: with the claim's admission, and again after a refusal.
 * follow-asked-instances.ts settles the questions.
 */
import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../prisma/database';
import type { NewClaim } from '../../prisma/moves/claims';
import type { NewQuestion } from '../../prisma/questions/question-rounds';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { CloudActions } from '../../rules/cloud/cloud-facts';
import type { Services } from '../services';
import { askAll } from './ask';
import { offerFor } from './ask-about-host';

type AskedClaim = Pick<NewClaim, 'id' | 'sessionId' | 'instanceId' | 'projectId' | 'source'>;

interface InstanceAsking {
  readonly claim: AskedClaim;
  /** The subject of the question; the same when it is asked again. */
  readonly state: string;
  readonly windowSeconds: number;
  /** Why the cloud does not move it. */
  readonly cannotMove?: string | undefined;
}

/** Projects are not asked about START_MAINTENANCE: until hosts are maintained, instances move to free a first host. */
export const askedState = ({ state }: Pick<SessionProgress, 'state'>): string =>
  state === 'START_MAINTENANCE' ? 'PREPARE_MAINTENANCE' : state;

export const askInstances = (
  services: Pick<Services, 'drafts' | 'cloud' | 'logger'>,
  tx: Transaction,
  { session, askings }: { readonly session: SessionProgress; readonly askings: readonly InstanceAsking[] },
): Promise<number> => {
  const questions = askings.map((asking) => toQuestion(services.cloud.actions, asking));
  return askAll(services, tx, { session, questions });
};

const toQuestion = (
  actions: CloudActions,
  { claim, state, windowSeconds, cannotMove }: InstanceAsking,
): NewQuestion => ({
  sessionId: claim.sessionId,
  projectId: claim.projectId,
  instanceId: claim.instanceId,
  claimId: claim.id,
  hostname: claim.source,
  state,
  instanceIds: [claim.instanceId],
  ...offerFor(actions, [{ instanceId: claim.instanceId, cannotMove }]),
  // Constraints may have been changed to lead_time 0 after the first question. A project that is asked has some time.
  windowSeconds: Math.max(1, windowSeconds),
  messageId: randomUUID(),
});
