/** The plan beside the form: what has changed since the plan before, and the way to create the session. */
import { useMemo } from 'preact/hooks';
import { ProblemNote } from '../parts/problem-note';
import { CreateButton } from './create-button';
import { changesBetween } from './plan-changes';
import { PlanView } from './plan-view';
import type { LivePlan, Planned } from './use-live-plan';

interface PlanPartProps {
  readonly live: LivePlan;
  readonly isForAll: boolean;
}

export const PlanPart = ({ live, isForAll }: PlanPartProps) => {
  const { planned, isFresh, isBusy, problem, missing, again } = live;
  // A plan names each host, so it is drawn only when it changes, and not at each letter that somebody types.
  const changes = useMemo(() => planned && <Changes planned={planned} />, [planned]);
  const view = useMemo(() => planned && <PlanView plan={planned.plan} atMs={planned.atMs} />, [planned]);
  return (
    <section class="plan-part" aria-labelledby="plan">
      <header class="plan-head">
        <h2 id="plan">The plan</h2>
        <span class="hint" role="status">
          {statusOf(live)}
        </span>
      </header>
      {missing !== undefined && <p class="note">Still to do: {missing}.</p>}
      <ProblemNote error={problem} />
      {problem !== undefined && !isBusy && (
        <div class="buttons">
          <button type="button" class="button small" onClick={again}>
            Plan again
          </button>
        </div>
      )}
      {planned !== undefined && (
        <div class={isFresh ? 'stack' : 'stack stale'}>
          {changes}
          {planned.plan.request !== null && (
            <CreateButton request={planned.plan.request} plan={planned.plan} isForAll={isForAll} isReady={isFresh} />
          )}
          {view}
        </div>
      )}
    </section>
  );
};

const statusOf = ({ planned, isFresh, isBusy, missing }: LivePlan): string => {
  if (isBusy) return 'Planning…';
  if (planned === undefined) return missing === undefined ? '' : 'It comes as soon as hosts are picked.';
  return isFresh ? 'It follows the form.' : 'This is the last plan, from before your change.';
};

const Changes = ({ planned: { plan, before } }: { readonly planned: Planned }) => {
  if (before === undefined) return null;
  const changes = changesBetween(before, plan);
  if (changes.length === 0) return <p class="hint">Your change makes no difference to the plan.</p>;
  return (
    <ul class="changes" aria-label="Changes against the last plan">
      {changes.map(({ tone, words }) => (
        <li key={words} class={tone}>
          {words}
        </li>
      ))}
    </ul>
  );
};
