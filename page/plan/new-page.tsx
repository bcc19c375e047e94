/** Plans a session before there is one, and creates it from its plan. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Plan } from '../client/types';
import { ProblemNote } from '../parts/problem-note';
import { useSignedIn } from '../signed-in';
import { CreateButton } from './create-button';
import { type Draft, mayEvict, requestOf } from './draft';
import { keepDraft, keptDraft } from './kept-draft';
import { PlanView } from './plan-view';
import { RequestFields } from './request-fields';
import { SteeringFields } from './steering-fields';

interface Planned {
  readonly plan: Plan;
  /** The request that was planned. */
  readonly draft: Draft;
  readonly atMs: number;
}

export const NewPage = () => {
  const { api } = useSignedIn();
  const [draft, setDraft] = useState(keptDraft);
  const [planned, setPlanned] = useState<Planned | undefined>(undefined);
  const [problem, setProblem] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const result = useRef<HTMLElement>(null);
  useEffect(() => keepDraft(draft), [draft]);
  useEffect(() => result.current?.focus(), [planned]);
  const onChange = (change: Partial<Draft>): void => {
    setDraft({ ...draft, ...change });
    setProblem(undefined);
  };
  const plan = async (): Promise<void> => {
    const found = await api.plan(requestOf(draft));
    setPlanned({ plan: found, draft, atMs: Date.now() });
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    plan()
      .catch(setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Head />
      <form class="stack form" onSubmit={onSubmit}>
        <RequestFields draft={draft} onChange={onChange} />
        <Steering draft={draft} onChange={onChange} />
        <ProblemNote error={problem} />
        <PlanButton isBusy={isBusy} />
      </form>
      {planned !== undefined && <PlannedPart planned={planned} draft={draft} room={result} />}
    </>
  );
};

const Head = () => (
  <div>
    <p class="crumbs">
      <a href="#/">Sessions</a>
    </p>
    <h1>Plan a session</h1>
    <p class="hint">A plan stores nothing and asks nobody. It says what would happen and what stands in the way.</p>
  </div>
);

interface SteeringProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

const Steering = ({ draft, onChange }: SteeringProps) => (
  <details>
    <summary>How it is steered: limits, windows, canary, what follows when a project does not agree</summary>
    <div class="stack">
      <SteeringFields draft={draft} onChange={onChange} hasEviction={mayEvict(draft.workflow)} />
    </div>
  </details>
);

const PlanButton = ({ isBusy }: { readonly isBusy: boolean }) => (
  <div class="buttons">
    <button class="button primary" disabled={isBusy}>
      {isBusy ? 'Planning…' : 'Plan it'}
    </button>
  </div>
);

interface PlannedPartProps {
  readonly planned: Planned;
  /** The present draft. The plan may have been made for an earlier draft. */
  readonly draft: Draft;
  readonly room: RefObject<HTMLElement | null>;
}

const PlannedPart = ({ planned, draft, room }: PlannedPartProps) => (
  <section ref={room} tabIndex={-1} aria-labelledby="plan">
    <h2 id="plan">The plan</h2>
    {planned.draft !== draft && <p class="note held">You have changed something since: plan it again.</p>}
    <PlanView plan={planned.plan} atMs={planned.atMs} />
    {planned.plan.request !== null && planned.draft === draft && (
      <CreateButton request={planned.plan.request} plan={planned.plan} isForAll={draft.allHosts} />
    )}
  </section>
);
