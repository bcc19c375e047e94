/** Creates the session that was planned: once, however often the request is sent. */
import { useState } from 'preact/hooks';
import { count } from '../../rules/words/times';
import type { CreateRequest, Plan } from '../client/types';
import { useDesk } from '../desk';
import { Confirm } from '../parts/confirm';
import { goTo } from '../route';
import { forgetDraft, keyFor } from './kept-draft';

interface CreateButtonProps {
  readonly request: CreateRequest;
  readonly plan: Plan;
  readonly isForAll: boolean;
}

export const CreateButton = ({ request, plan, isForAll }: CreateButtonProps) => {
  const { api } = useDesk();
  const [isAsked, ask] = useState(false);
  const create = async (): Promise<void> => {
    const { session_id: sessionId } = await api.create(request, keyFor(request));
    forgetDraft();
    goTo({ name: 'session', sessionId });
  };
  const stops = plan.blockers.filter(({ severity }) => severity === 'stops').length;
  return (
    <>
      <div class="buttons">
        <button class="button primary" onClick={() => ask(true)}>
          Create the session
        </button>
      </div>
      {isAsked && (
        <Confirm
          title="Create the session"
          verb="Create"
          says={[
            `It will maintain ${count(plan.hosts.length, 'host')} and move ${count(plan.move_count, 'instance')}, and ask ` +
              `${count(new Set(plan.questions.map(({ project_id: id }) => id)).size, 'project')}.`,
            ...(stops > 0 ? [`The plan names ${count(stops, 'blocker')} that would stop it.`] : []),
          ]}
          {...(isForAll && { word: 'all' })}
          act={create}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
};
