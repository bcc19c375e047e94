/** The form: what this tab keeps, what somebody types, and what fills it in. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSignedIn } from '../signed-in';
import type { Draft } from './draft';
import { draftFrom } from './draft-from';
import { hasInput, keepDraft, keptDraft } from './kept-draft';

/** Each letter that somebody types is a new form, and a form may name thousands of hosts. */
const keepMs = 300;

export interface DraftInHand {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  readonly fill: (draft: Draft) => void;
  /** Fills in the request of a session, unless something newer comes to the form before that, or `left` aborts. */
  readonly fillFrom: (sessionId: string, left?: AbortSignal) => Promise<void>;
  /** Brings back the form from before it was filled in, and again the other; undefined: there was none. */
  readonly swap: (() => void) | undefined;
}

export const useDraft = (onProblem: (problem: unknown) => void): DraftInHand => {
  const { api } = useSignedIn();
  const [draft, setDraft] = useState(keptDraft);
  const [before, setBefore] = useState<Draft | undefined>(undefined);
  const now = useRef(draft);
  // Counts what came to the form: an answer for an earlier number is too late.
  const number = useRef(0);
  useEffect(() => () => void (number.current += 1), []);
  useKept(draft);
  const set = (next: Draft): void => {
    number.current += 1;
    now.current = next;
    setDraft(next);
  };
  const fill = (filled: Draft): void => {
    const old = now.current;
    if (hasInput(old)) setBefore(old);
    onProblem(undefined);
    set(filled);
  };
  const fillFrom = async (sessionId: string, left?: AbortSignal): Promise<void> => {
    number.current += 1;
    const mine = number.current;
    onProblem(undefined);
    const whileMine = (act: () => void): void => {
      if (number.current === mine && left?.aborted !== true) act();
    };
    await api.requestOf(sessionId).then(
      (request) => whileMine(() => fill(draftFrom(request, Date.now()))),
      (error: unknown) => whileMine(() => onProblem(error)),
    );
  };
  return {
    ...{ draft, fill, fillFrom },
    change: (change) => set({ ...now.current, ...change }),
    swap: before && (() => fill(before)),
  };
};

/** Keeps the form once it stands still, and when its reader leaves. */
const useKept = (draft: Draft): void => {
  const unkept = useRef<Draft | undefined>(undefined);
  const keep = (): void => {
    if (unkept.current !== undefined) keepDraft(unkept.current);
    unkept.current = undefined;
  };
  useEffect(() => {
    unkept.current = draft;
    const timer = setTimeout(keep, keepMs);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
};
