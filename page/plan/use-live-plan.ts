/** A plan that follows the form: asked for once the form stands still, and never overtaken by an older answer. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CreateRequest, Plan } from '../client/types';
import { useSignedIn } from '../signed-in';
import { type Draft, requestOf } from './draft';
import { againAfterFailure, againAfterPlan } from './plan-again';
import { whenSeen } from './when-seen';

export interface Planned {
  readonly plan: Plan;
  readonly atMs: number;
  /** The request of the plan, as text. */
  readonly key: string;
  /** The plan of the form before its last change; undefined: this is the first plan. */
  readonly before: Plan | undefined;
}

export interface LivePlan {
  readonly planned: Planned | undefined;
  /** False where the plan is that of an earlier form. */
  readonly isFresh: boolean;
  readonly isBusy: boolean;
  /** The fields that are still to be filled in; undefined: there is a request. */
  readonly missing: string | undefined;
  /** The failure of the last request for this form: it stays until a new answer comes. */
  readonly problem: unknown;
  /** Asks once more for the plan of this form. */
  readonly again: () => void;
}

interface Asked {
  readonly request?: CreateRequest;
  /** The request as text; empty: there is none. */
  readonly key: string;
  readonly missing?: string;
}

interface Failed {
  readonly error: unknown;
  /** The request that failed, as text. */
  readonly key: string;
}

/** People who type pause for less. */
const standStillMs = 600;

const askedFor = (draft: Draft): Asked => {
  try {
    const request = requestOf(draft);
    return { request, key: JSON.stringify(request) };
  } catch (error) {
    return { key: '', missing: error instanceof Error ? error.message : String(error) };
  }
};

const planAfter = (old: Planned | undefined, plan: Plan, key: string): Planned => ({
  ...{ plan, key, atMs: Date.now() },
  before: old?.key === key ? old.before : old?.plan,
});

export const useLivePlan = (draft: Draft): LivePlan => {
  const { api, signedIn } = useSignedIn();
  const [planned, setPlanned] = useState<Planned | undefined>(undefined);
  const [failed, setFailed] = useState<Failed | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [wishes, setWishes] = useState(0);
  const { request, key, missing } = useMemo(() => askedFor(draft), [draft]);
  useEffect(() => {
    setBusy(request !== undefined);
    if (request === undefined) return undefined;
    const left = new AbortController();
    const plan = async (): Promise<void> => {
      const begunMs = Date.now();
      setBusy(true);
      const { found, error } = await api.plan(request, left.signal).then(asFound, asFailed);
      if (left.signal.aborted) return;
      if (found !== undefined) setPlanned((old) => planAfter(old, found, key));
      setFailed(found === undefined ? { error, key } : undefined);
      setBusy(false);
      const againMs = found === undefined ? againAfterFailure(error) : againAfterPlan(Date.now() - begunMs);
      if (againMs !== undefined) giveUp = whenSeen(againMs, () => void plan());
    };
    let giveUp = whenSeen(standStillMs, () => void plan());
    return () => {
      left.abort();
      giveUp();
    };
  }, [key, signedIn, wishes]);
  const problem = failed?.key === key ? failed.error : undefined;
  const isFresh = planned?.key === key && problem === undefined;
  return { planned, isFresh, isBusy, missing, problem, again: () => setWishes((before) => before + 1) };
};

interface Outcome {
  readonly found?: Plan;
  readonly error?: unknown;
}

const asFound = (found: Plan): Outcome => ({ found });
const asFailed = (error: unknown): Outcome => ({ error });
