/** How much a plan moves, and whom it asks. */
import { nameOr } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import type { Plan } from '../client/types';
import { Moment } from '../parts/times';

export const PlanFacts = ({ plan }: { readonly plan: Plan }) => {
  const projects = Map.groupBy(plan.questions, ({ project_id: id }) => id);
  return (
    <>
      <p>
        {count(plan.hosts.length, 'host')}, {count(plan.move_count, 'move')}; work begins <Moment at={plan.begins_at} />
      </p>
      <ul class="plain-list">
        {[...projects].slice(0, 6).map(([projectId, questions]) => (
          <li key={projectId} class="hint">
            project {nameOr(projectId, questions[0]?.project_name)} is asked {count(questions.length, 'time')}
            {questions.some(({ answer_expected: isExpected }) => !isExpected) && ', and seldom answers'}
          </li>
        ))}
      </ul>
    </>
  );
};
