/** How much a plan moves, and whom it asks. */
import { nameOr } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import type { Plan } from '../client/types';
import { Moment } from '../parts/times';

export const PlanFacts = ({ plan }: { readonly plan: Plan }) => (
  <>
    <p>
      {count(plan.hosts.length, 'host')}, {count(plan.move_count, 'move')}; work begins <Moment at={plan.begins_at} />
    </p>
    <Asked questions={plan.questions} />
  </>
);

const Asked = ({ questions }: Pick<Plan, 'questions'>) => {
  const projects = [...Map.groupBy(questions, ({ project_id: id }) => id)];
  if (projects.length === 0) return <p class="hint">Nobody is asked.</p>;
  return (
    <details>
      <summary class="hint">
        {count(projects.length, 'project')} {projects.length === 1 ? 'is' : 'are'} asked{' '}
        {count(questions.length, 'time')}
      </summary>
      <ul class="plain-list">
        {projects.map(([projectId, those]) => (
          <li key={projectId} class="hint">
            project {nameOr(projectId, those[0]?.project_name)}: {count(those.length, 'time')}
            {those.some(({ answer_expected: isExpected }) => !isExpected) && ', and it seldom answers'}
          </li>
        ))}
      </ul>
    </details>
  );
};
