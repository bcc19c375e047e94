/** Plans a session before there is one: the form, and beside it the plan that follows the form. */
import { useEffect, useState } from 'preact/hooks';
import { hashOf } from '../address';
import { LookNote } from '../parts/look-note';
import { ProblemNote } from '../parts/problem-note';
import { FaultsContext, faultsIn } from './faults';
import { FurtherFields } from './further-fields';
import { PlanPart } from './plan-part';
import { RequestFields } from './request-fields';
import { StartFrom } from './start-from';
import { useChoices } from './use-choices';
import { type DraftInHand, useDraft } from './use-draft';
import { useLivePlan } from './use-live-plan';

/** @param props.again the session that is filled in again; undefined: the draft that this tab keeps */
export const NewPage = ({ again }: { readonly again?: string | undefined }) => {
  const [problem, setProblem] = useState<unknown>(undefined);
  const inHand = useDraft(setProblem);
  const { draft, change } = inHand;
  const live = useLivePlan(draft);
  const { look, choices } = useChoices();
  useAgain(again, inHand);
  return (
    <>
      <Head inHand={inHand} />
      <ProblemNote error={problem} />
      <div class="plan-page">
        <FaultsContext.Provider value={faultsIn(live.problem)}>
          <form class="stack plan-form" aria-label="The session" onSubmit={(event) => event.preventDefault()}>
            <RequestFields
              draft={draft}
              onChange={change}
              hosts={choices.hosts}
              workflows={choices.workflows}
              note={<LookNote look={look} />}
            />
            <FurtherFields draft={draft} onChange={change} plugins={choices.action_plugins} />
          </form>
        </FaultsContext.Provider>
        <PlanPart live={live} isForAll={draft.allHosts} />
      </div>
    </>
  );
};

/** Afterwards the address is that of a new session, so that a reload keeps what was typed. */
const useAgain = (again: string | undefined, { fillFrom }: DraftInHand): void => {
  useEffect(() => {
    if (again === undefined) return undefined;
    const left = new AbortController();
    void fillFrom(again, left.signal).then(() => {
      if (!left.signal.aborted) location.replace(hashOf({ name: 'new' }));
    });
    return () => left.abort();
  }, [again]);
};

const Head = ({ inHand }: { readonly inHand: DraftInHand }) => (
  <div class="title-row">
    <div>
      <p class="crumbs">
        <a href="#/">Sessions</a>
      </p>
      <h1>Plan a session</h1>
      <p class="hint">Nothing happens and nobody is asked until you create it.</p>
    </div>
    <StartFrom inHand={inHand} />
  </div>
);
