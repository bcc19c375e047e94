/** Plans a session before there is one: the form, and beside it the plan that follows the form. */
import { useEffect, useState } from 'preact/hooks';
import { hashOf } from '../address';
import { LookNote } from '../parts/look-note';
import { ProblemNote } from '../parts/problem-note';
import { useSignedIn } from '../signed-in';
import type { Draft } from './draft';
import { draftFrom } from './draft-from';
import { FaultsContext, faultsIn } from './faults';
import { FurtherFields } from './further-fields';
import { keepDraft, keptDraft } from './kept-draft';
import { PlanPart } from './plan-part';
import { RequestFields } from './request-fields';
import { StartFrom } from './start-from';
import { useChoices } from './use-choices';
import { useLivePlan } from './use-live-plan';

/** @param props.again the session that is filled in again; undefined: the draft that this tab keeps */
export const NewPage = ({ again }: { readonly again?: string | undefined }) => {
  const [draft, setDraft] = useState(keptDraft);
  const [problem, setProblem] = useState<unknown>(undefined);
  const live = useLivePlan(draft);
  const { look, choices } = useChoices();
  useEffect(() => keepDraft(draft), [draft]);
  useAgain(again, setDraft, setProblem);
  const onChange = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));
  return (
    <>
      <Head draft={draft} onFill={setDraft} onProblem={setProblem} />
      <ProblemNote error={problem} />
      <div class="plan-page">
        <FaultsContext.Provider value={faultsIn(live.problem)}>
          <form class="stack plan-form" aria-label="The session" onSubmit={(event) => event.preventDefault()}>
            <RequestFields
              draft={draft}
              onChange={onChange}
              hosts={choices.hosts}
              workflows={choices.workflows}
              note={<LookNote look={look} />}
            />
            <FurtherFields draft={draft} onChange={onChange} plugins={choices.action_plugins} />
          </form>
        </FaultsContext.Provider>
        <PlanPart live={live} isForAll={draft.allHosts} />
      </div>
    </>
  );
};

type Fill = (draft: Draft) => void;

/** Afterwards the address is that of a new session, so that a reload keeps what was typed. */
const useAgain = (again: string | undefined, onFill: Fill, onProblem: (problem: unknown) => void): void => {
  const { api } = useSignedIn();
  useEffect(() => {
    if (again === undefined) return;
    api
      .requestOf(again)
      .then((request) => onFill(draftFrom(request, Date.now())), onProblem)
      .finally(() => location.replace(hashOf({ name: 'new' })));
  }, [again]);
};

interface HeadProps {
  readonly draft: Draft;
  readonly onFill: Fill;
  readonly onProblem: (problem: unknown) => void;
}

const Head = ({ draft, onFill, onProblem }: HeadProps) => (
  <div class="title-row">
    <div>
      <p class="crumbs">
        <a href="#/">Sessions</a>
      </p>
      <h1>Plan a session</h1>
      <p class="hint">Nothing happens and nobody is asked until you create it.</p>
    </div>
    <StartFrom draft={draft} onFill={onFill} onProblem={onProblem} />
  </div>
);
