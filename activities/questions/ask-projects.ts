/** Asks all projects of a session about a state, and acts on those that refuse. */
import { findConstraintsOf } from '../../prisma/constraints/constraints-for-decisions';
import { databaseNow, type Transaction } from '../../prisma/database';
import { findSessionHosts } from '../../prisma/hosts/session-hosts';
import { findHostsOfProject, findSessionProjects } from '../../prisma/hosts/session-instances';
import { findQuestions } from '../../prisma/questions/question-rounds';
import { type SessionProgress } from '../../prisma/session/session-progress';
import { keyOf } from '../../rules/cloud/id';
import { asksOnlyTheWilling } from '../../rules/decisions/both-workflows/built-in-workflow';
import { longestWaitMs } from '../../rules/decisions/look-again';
import type { WantedQuestion } from '../../rules/questions/negotiation';
import { isSettled, type Question } from '../../rules/questions/question';
import type { ReplyVerdict } from '../../rules/questions/reply-policy';
import { replyWindowOfSession } from '../../rules/questions/reply-window';
import { type ToldByCloud, toldOfProjects } from '../../rules/terms/told-terms';
import { shownProjects } from '../../temporal/workflow-messages';
import { lookForSession } from '../decisions/look-for-session';
import { noteInstances } from '../hosts/note-instances';
import type { Services } from '../services';
import { inSession } from '../session/run-in-force';
import { tellOfDeadline } from '../session/tell-deadline';
import { pauseForReply, skipForReply } from './act-on-verdict';
import { ask, type Asking, type AskingStep, askUntilQuiet, wouldAsk } from './ask';
import type { StateRef } from './state-ref';

export interface AskedProjects {
  readonly settled: boolean;
  readonly lookAgainMs: number;
  readonly failure?: string;
  readonly awaitedProjects: readonly string[];
}

/** MAINTENANCE and MAINTENANCE_COMPLETE: asks every project of the session at once. */
export const askProjects = async (services: Services, ref: StateRef): Promise<AskedProjects> => {
  const { state } = ref;
  const wantQuestions = new Set<string>();
  if (state === 'MAINTENANCE') {
    const snapshot = await lookForSession(services, ref);
    await inSession(services, ref, (tx) => noteInstances(services, tx, { sessionId: ref.sessionId, listed: snapshot }));
    for (const { instanceId, ...told } of snapshot.instances) if (told.wantsQuestions) wantQuestions.add(instanceId);
  }
  const askThem = async () => {
    const told = await termsToAskBy(services, ref, wantQuestions);
    return inSession(services, ref, async (tx, session): Promise<AskingStep & { readonly failure?: string }> => {
      await tellOfDeadline(services, tx, { session, now: await databaseNow(tx) });
      const step = await ask(services, tx, {
        ...(await projectWide(services, tx, { session, wantQuestions })),
        toldOfProjects: told,
      });
      return { ...step, ...(step.verdict && (await actOn(services, tx, { session, step, verdict: step.verdict }))) };
    });
  };
  const step = await askUntilQuiet(services, ref.sessionId, askThem);
  const { settled, lookAgainMs, failure, awaitedProjects } = step;
  return {
    settled,
    lookAgainMs,
    awaitedProjects: shownProjects(awaitedProjects),
    ...(failure !== undefined && { failure }),
  };
};

/**
 * The terms that the cloud tells of projects; none where nothing would be asked. Instances that were made again are
 * none of the session's any more, so nothing of theirs is recorded. The cloud is called outside of a transaction.
 */
const termsToAskBy = async (
  services: Services,
  ref: StateRef,
  wantQuestions: ReadonlySet<string>,
): Promise<ToldByCloud['projects']> => {
  const { cloud, logger } = services;
  if (cloud.projectTerms === undefined) return new Map();
  const asksSome = await inSession(services, ref, async (tx, session) =>
    wouldAsk(services, tx, await projectWide(services, tx, { session, wantQuestions })),
  );
  if (!asksSome) return new Map();
  try {
    return toldOfProjects(await cloud.projectTerms());
  } catch (error) {
    if (ref.state !== 'MAINTENANCE_COMPLETE') throw error;
    // Nothing is impacted any more, so the end of the session need not wait for the cloud.
    logger.warn({ err: error, sessionId: ref.sessionId }, 'projects are told of the end by their stored terms alone');
    return new Map();
  }
};

interface Refused {
  readonly session: SessionProgress;
  readonly step: AskingStep;
  readonly verdict: ReplyVerdict;
}

/**
 * A project refuses the session as a whole: that fails or pauses, or skips all hosts with instances of the project.
 * Where none is left to be skipped, the session fails: no look would find it otherwise.
 */
const actOn = async (
  services: Pick<Services, 'logger'>,
  tx: Transaction,
  { session: { id: sessionId }, step: { refusedBy }, verdict: { kind, because } }: Refused,
): Promise<{ readonly failure?: string; readonly lookAgainMs: number }> => {
  if (kind === 'fail') return { failure: because, lookAgainMs: 1 };
  if (kind === 'pause') {
    await pauseForReply(services, tx, { sessionId, because });
    return { lookAgainMs: longestWaitMs };
  }
  const hostnames = new Set(await findHostsOfProject(tx, { sessionId, projectId: refusedBy ?? '' }));
  const hosts = (await findSessionHosts(tx, sessionId)).filter(
    ({ hostname, phase }) => phase === 'waiting' && hostnames.has(hostname),
  );
  if (hosts.length === 0) {
    return { failure: `${because}; no host of the session is left that could be skipped for it`, lookAgainMs: 1 };
  }
  for (const host of hosts) await skipForReply(services, tx, { host, because });
  return { lookAgainMs: 1 };
};

interface ProjectsToAsk {
  readonly session: SessionProgress;
  /** Instances about which their projects tell the cloud that they want to be asked. */
  readonly wantQuestions: ReadonlySet<string>;
}

const projectWide = async (
  services: Pick<Services, 'limits'>,
  tx: Transaction,
  toAsk: ProjectsToAsk,
): Promise<Asking> => {
  const { session } = toAsk;
  const windowSeconds = replyWindowOfSession(session.state, services.limits);
  const all = await findSessionProjects(tx, session.id);
  const projects = asksOnlyTheWilling(session) ? await willingOf(tx, toAsk, all) : all;
  const question = (projectId: string, instanceIds: readonly string[]): WantedQuestion[] => [
    { projectId, instanceIds, windowSeconds, allowedActions: [] },
  ];
  const wanted = (existing: readonly Question[]): WantedQuestion[] =>
    [...projects].flatMap(([projectId, present]) => {
      if (session.state !== 'MAINTENANCE') {
        const isLeftOut = present.length === 0 && wasSkippedFor(projectId, session, existing);
        return isLeftOut ? [] : question(projectId, []);
      }
      // The session does not wait for a project whose instances are all gone.
      if (present.length === 0) return [];
      return question(projectId, toldAbout(projectId, session, existing) ?? present);
    });
  return { session, since: session.stateEnteredAt, wanted };
};

/**
 * The projects to ask: at first those that want to be asked about instances, each with these; at the end of the session
 * those that were asked in it.
 */
const willingOf = async (
  tx: Transaction,
  { session, wantQuestions }: ProjectsToAsk,
  projects: ReadonlyMap<string, string[]>,
): Promise<ReadonlyMap<string, string[]>> => {
  if (session.state !== 'MAINTENANCE') {
    const asked = new Set(
      (await findQuestions(tx, { sessionId: session.id })).map(({ projectId }) => keyOf(projectId)),
    );
    return new Map([...projects].filter(([projectId]) => asked.has(keyOf(projectId))));
  }
  const stored = await findConstraintsOf(tx, [...projects.values()].flat());
  const isWilling = (id: string): boolean => stored.has(id) || wantQuestions.has(id);
  return new Map([...projects].map(([projectId, present]) => [projectId, present.filter(isWilling)]));
};

/** The hosts of the project were skipped, since it refused in this state. */
const wasSkippedFor = (
  projectId: string,
  { state, replyPolicy }: SessionProgress,
  existing: readonly Question[],
): boolean =>
  replyPolicy?.lastNack === 'skip_host' &&
  existing.some((one) => one.projectId === projectId && one.state === state && one.answer === 'NACK');

/**
 * A project is told once about its instances at that time; later instances are asked about with their host. A project
 * that refused is asked about its present instances.
 */
const toldAbout = (projectId: string, { state }: SessionProgress, existing: readonly Question[]) =>
  existing.find(
    (question) =>
      question.projectId === projectId &&
      question.state === state &&
      (question.status === 'open' || isSettled(question)),
  )?.instanceIds;
