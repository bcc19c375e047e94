/** A plan that follows the form: asked for once the form stands still, and never overtaken by an older answer. */
import { useEffect, useState } from 'preact/hooks';
import { isPassing } from '../client/problem';
import type { CreateRequest, Plan } from '../client/types';
import { useSignedIn } from '../signed-in';
import { type Draft, requestOf } from './draft';

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
  readonly problem: unknown;
}

interface Asked {
  readonly request?: CreateRequest;
  readonly missing?: string;
}

/** People who type pause for less. */
const standStillMs = 600;
/** The API plans only a few sessions at once. */
const againMs = 3_000;

const askedFor = (draft: Draft): Asked => {
  try {
    return { request: requestOf(draft) };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
};

export const useLivePlan = (draft: Draft): LivePlan => {
  const { api, signedIn } = useSignedIn();
  const [planned, setPlanned] = useState<Planned | undefined>(undefined);
  const [problem, setProblem] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);
  const { request, missing } = askedFor(draft);
  const key = request === undefined ? '' : JSON.stringify(request);
  useEffect(() => {
    setProblem(undefined);
    setBusy(request !== undefined);
    if (request === undefined) return undefined;
    const left = new AbortController();
    const isLeft = () => left.signal.aborted;
    const plan = async (): Promise<void> => {
      try {
        const found = await api.plan(request, left.signal);
        if (isLeft()) return;
        setPlanned((old) => ({
          plan: found,
          atMs: Date.now(),
          key,
          before: old?.key === key ? old.before : old?.plan,
        }));
      } catch (error) {
        if (isLeft()) return;
        setProblem(error);
        if (isPassing(error)) timer = setTimeout(() => setTries(tries + 1), againMs);
      }
      setBusy(false);
    };
    let timer = setTimeout(() => void plan(), standStillMs);
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [key, signedIn, tries]);
  return { planned, isFresh: planned?.key === key && problem === undefined, isBusy, missing, problem };
};
