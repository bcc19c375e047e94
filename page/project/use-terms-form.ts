/** The state of the form of a project's terms, and what its buttons do. */
import { useEffect, useState } from 'preact/hooks';
import type { Terms, TermsPreview } from '../client/types';
import { useSignedIn } from '../signed-in';
import { type TermsDraft, termsDraftOf, termsOf } from './terms-draft';

export interface TermsToEdit {
  readonly projectId: string;
  /** Undefined: there are none. */
  readonly stored: Terms | undefined;
  readonly onStored: () => void;
}

export const useTermsForm = ({ projectId, stored = {}, onStored }: TermsToEdit) => {
  const { api } = useSignedIn();
  const { base, draft, isChanged, setDraft, begin } = useTermsDraft(stored);
  const [preview, setPreview] = useState<TermsPreview | undefined>(undefined);
  const [problem, setProblem] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const act = (what: (terms: Terms) => Promise<void>) => (): void => {
    setBusy(true);
    setProblem(undefined);
    Promise.resolve()
      .then(() => what(termsOf(draft, base)))
      .catch(setProblem)
      .finally(() => setBusy(false));
  };
  const startFrom = (terms: Terms): void => {
    begin(terms);
    setPreview(undefined);
    onStored();
  };
  return {
    ...{ draft, isChanged, preview, problem, isBusy },
    change: (change: Partial<TermsDraft>): void => {
      setDraft({ ...draft, ...change });
      setPreview(undefined);
      setProblem(undefined);
    },
    store: act((terms) => api.setTerms(projectId, terms).then(() => startFrom(terms))),
    see: act(async (terms) => setPreview(await api.previewTerms(projectId, terms))),
    remove: () => api.removeTerms(projectId).then(() => startFrom({})),
  };
};

export type TermsForm = ReturnType<typeof useTermsForm>;

/** Terms that somebody else has stored meanwhile are shown, unless somebody types here. */
const useTermsDraft = (stored: Terms) => {
  const [base, setBase] = useState<Terms>(stored);
  const [draft, setDraft] = useState(() => termsDraftOf(base));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(termsDraftOf(base));
  const begin = (terms: Terms): void => {
    setBase(terms);
    setDraft(termsDraftOf(terms));
  };
  useEffect(() => {
    if (!isChanged) begin(stored);
  }, [JSON.stringify(stored)]);
  return { base, draft, isChanged, setDraft, begin };
};
