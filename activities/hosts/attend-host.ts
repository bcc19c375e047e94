/**
 * Attends a host while it is drained: asks, carries out what is granted, watches its moves, and looks again whenever
 * something happens. One activity for the whole drain, in place of several for each of its moves. It keeps nothing: an
 * attempt that is killed is followed by one that continues from the rows.
 */
import { CancelledFailure } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/client';
import type { HostLook } from '../../prisma/hosts/attended-hosts';
import type { HostRef } from '../../prisma/hosts/session-hosts';
import { longestWaitMs } from '../../rules/decisions/look-again';
import { carryOut } from '../moves/action-activities';
import { orTellWhyNot } from '../moves/tell-hold-up';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { sleep, whileNotOver } from '../sleep';
import { type Bell, createBell } from './bell';
import { type HostOrders, tendHost } from './host-orders';

/** The milliseconds without news after which a host is left to its workflow, which waits in Temporal. */
const quietMs = 600_000;

/** The milliseconds until a failed step is tried again: twice as many each time, up to the longest. */
const [firstRetryMs, longestRetryMs] = [500, 10_000];

/** The host's workflow goes on by these orders. Nothing is in flight on the host any more. */
export type RemainingOrders = Omit<HostOrders, 'actions' | 'report'>;

export const attendHost = async (services: Services, ref: HostRef): Promise<RemainingOrders> => {
  const drain = createDrain(services, ref);
  try {
    const { kind, lookAgainMs, failure } = await drain.untilOver();
    return { kind, lookAgainMs, ...(failure !== undefined && { failure }) };
  } finally {
    // Ends always: else its workflow would miss news as long as the row calls the host attended.
    await drain.end().catch((err: unknown) => {
      services.logger.warn({ err, ...ref }, 'the row may call the host attended for some seconds more');
    });
  }
};

interface ActionsInFlight {
  readonly claimIds: ReadonlySet<string>;
  readonly start: (claimId: string) => void;
  /** Stops watching them: they go on in the cloud, and whoever attends the host next attaches to them. */
  readonly end: () => Promise<void>;
}

/**
 * Carries out the actions of claims side by side.
 * @param onOver is told of each that ended, and whether the action is over by its claim
 */
const createActions = (services: Services, ref: HostRef, onOver: (isOver: boolean) => void): ActionsInFlight => {
  const claimIds = new Set<string>();
  const running = new Set<Promise<void>>();
  const over = new AbortController();
  const { logger } = services;
  // Tries a failed action again; `tend` finds out whether the work on the host may go on.
  const step = { name: 'carryOutAction', isFinal: (error: unknown) => error instanceof CancelledFailure };
  const carryOutOne = async (claimId: string): Promise<void> => {
    const tried = () => orTellWhyNot(services, claimId, carryOut(services, { ...ref, claimId }));
    const isOver = await untilItWorks(services, step, tried).catch((err: unknown) => {
      if (!(err instanceof CancelledFailure))
        logger.error({ err, ...ref, claimId }, 'an action is not carried out here any more');
      return undefined;
    });
    claimIds.delete(claimId);
    onOver(isOver === true);
    if (isOver !== undefined) await services.workflowCalls.wakeSession(ref.sessionId);
  };
  return {
    claimIds,
    start: (claimId) => {
      if (claimIds.has(claimId)) return;
      claimIds.add(claimId);
      const carriedOut = whileNotOver(over.signal, () => carryOutOne(claimId)).finally(() =>
        running.delete(carriedOut),
      );
      running.add(carriedOut);
    },
    end: async () => {
      over.abort();
      await Promise.allSettled(running);
    },
  };
};

/** Watches the host, so that the bell rings when there is something new on it. */
const createAttendance = (services: Pick<Services, 'hostWatch'>, ref: HostRef, { bell, inFlight }: Watching) => {
  let isNews: (look: HostLook) => boolean;
  let leave = (): Promise<void> => Promise.resolve();
  const onLook = (look: HostLook): void => {
    if (isNews(look)) bell.ring();
    isNews = newsSince(look, inFlight);
  };
  return {
    attend: async (): Promise<void> => {
      // The first look is always news: something may have come between the first orders and it.
      isNews = () => true;
      leave = await services.hostWatch.attend(ref, onLook);
    },
    leave: (): Promise<void> => leave(),
  };
};

interface Watching {
  readonly bell: Bell;
  readonly inFlight: ReadonlySet<string>;
}

const createDrain = (services: Services, ref: HostRef) => {
  const bell = createBell();
  const actions = createActions(services, ref, (isOver) => {
    // While others are in flight, only news is worth a look at the host.
    if (!isOver || actions.claimIds.size === 0) bell.ring();
  });
  const { claimIds: inFlight } = actions;
  const { attend, leave } = createAttendance(services, ref, { bell, inFlight });

  const tend = async (): Promise<HostOrders> => {
    const orders = await untilItWorks(services, { name: 'tendHost', isFinal }, () => tendHost(services, ref));
    for (const claimId of orders.actions) actions.start(claimId);
    if (orders.report) void services.workflowCalls.wakeSession(ref.sessionId);
    return orders;
  };
  /** Its orders when nobody attends it any more; undefined: there is work again. */
  const lastOrders = async (): Promise<HostOrders | undefined> => {
    await leave();
    // Waits for a decision that is being written: the last look finds what it granted.
    await inHost(services, ref, () => Promise.resolve());
    const last = await tend();
    return inFlight.size === 0 ? last : undefined;
  };
  const untilOver = async (): Promise<HostOrders> => {
    await attend();
    await services.workflowCalls.wakeSession(ref.sessionId);
    for (;;) {
      const orders = await tend();
      if (inFlight.size === 0 && orders.kind !== 'empty') return orders;
      const waitMs = inFlight.size > 0 ? longestWaitMs : quietMs;
      const isRung = await bell.within(Math.min(orders.lookAgainMs, waitMs));
      if (isRung || inFlight.size > 0 || bell.quietMs() < quietMs) continue;
      const last = await lastOrders();
      if (last !== undefined) return last;
      await attend();
      bell.ring();
    }
  };
  const end = async (): Promise<void> => {
    await actions.end();
    await leave();
  };
  return { untilOver, end };
};

/** True of a later look that shows something which was not there before. */
const newsSince =
  (before: HostLook, inFlight: ReadonlySet<string>) =>
  (now: HostLook): boolean =>
    now.controls !== before.controls ||
    now.granted.some((claimId) => !before.granted.includes(claimId) && !inFlight.has(claimId)) ||
    now.questions.some((question) => !before.questions.includes(question));

interface StepOnHost {
  readonly name: string;
  /** True when the step is not tried again after this error. */
  readonly isFinal: (error: unknown) => boolean;
}

/** Tries a step again like Temporal does an activity, so that the failure of one move does not stop the others. */
const untilItWorks = async <T>(
  { logger, measures }: Pick<Services, 'logger' | 'measures'>,
  { name, isFinal: isFinalHere }: StepOnHost,
  step: () => Promise<T>,
): Promise<T> => {
  for (let waitMs = firstRetryMs; ; waitMs = Math.min(2 * waitMs, longestRetryMs)) {
    try {
      return await step();
    } catch (error) {
      if (isFinalHere(error)) throw error;
      measures.activityFailed(name, true);
      logger.warn({ err: error, step: name }, 'a step of the work on a host failed; it is tried again');
      await sleep(waitMs);
    }
  }
};

const isFinal = (error: unknown): boolean =>
  error instanceof CancelledFailure || (error instanceof ApplicationFailure && error.nonRetryable === true);
