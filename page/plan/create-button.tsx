/** Creates the session that was planned: once, however often the request is sent. */
import { useState } from 'preact/hooks';
import { withShortIds } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import type { CreateRequest, Plan } from '../client/types';
import { Confirm } from '../parts/confirm';
import { goTo } from '../route';
import { useSignedIn } from '../signed-in';
import { forgetDraft, keyFor } from './kept-draft';

interface CreateButtonProps {
  readonly request: CreateRequest;
  readonly plan: Plan;
  readonly isForAll: boolean;
  /** False while the plan is not that of the form. */
  readonly isReady: boolean;
}

const stopsShown = 3;

export const CreateButton = ({ request, plan, isForAll, isReady }: CreateButtonProps) => {
  const { api } = useSignedIn();
  const [isAsked, ask] = useState(false);
  const create = async (): Promise<void> => {
    const { session_id: sessionId } = await api.create(request, keyFor(request));
    forgetDraft();
    goTo({ name: 'session', sessionId });
  };
  const { blockers } = plan;
  const stops = blockers.filter(({ severity }) => severity === 'stops').map(({ because }) => withShortIds(because));
  const idle = blockers.filter(({ kind }) => kind === 'nothing_maintained').map(({ because }) => withShortIds(because));
  const projects = new Set(plan.questions.map(({ project_id: id }) => id)).size;
  return (
    <>
      <div class="buttons">
        <button class="button primary" disabled={!isReady} onClick={() => ask(true)}>
          Create the session
        </button>
      </div>
      {isAsked && (
        <Confirm
          title="Create the session"
          verb="Create"
          says={[
            `It will work on ${count(plan.hosts.length, 'host')}, move ${count(plan.move_count, 'instance')}, and ask ` +
              `${count(projects, 'project')}.`,
            ...idle,
            ...(stops.length > 0 ? ['By its plan it would not come to its end:'] : []),
            ...stops.slice(0, stopsShown),
            ...(stops.length > stopsShown ? [`and ${stops.length - stopsShown} more`] : []),
          ]}
          {...(isForAll && { word: 'all' })}
          act={create}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
};
