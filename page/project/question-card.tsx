/** One question with its answers, and an action for each instance that it is about. */
import { useState } from 'preact/hooks';
import { questionInWords } from '../../rules/words/questions';
import { count, shortId } from '../../rules/words/times';
import type { Question } from '../client/types';
import { Confirm } from '../parts/confirm';
import { Choice } from '../parts/fields';
import { Left } from '../parts/times';
import { stateWords } from '../parts/words-of-progress';
import { useSignedIn } from '../signed-in';
import { meaningOf } from './reply';
import { sendReply } from './send-reply';

interface QuestionCardProps {
  readonly question: Question;
  readonly atMs: number;
  readonly nameOf: (instanceId: string) => string;
  readonly onReplied: () => void;
}

export const QuestionCard = ({ question, atMs, nameOf, onReplied }: QuestionCardProps) => {
  const { api } = useSignedIn();
  const [actions, setActions] = useState<Readonly<Record<string, string>>>({});
  const [asked, ask] = useState<'yes' | 'no' | undefined>(undefined);
  const { instance_ids: ids, allowed_actions: allowed, session_id: sessionId } = question;
  const title = titleOf(question);
  const agrees = asked === 'yes';
  return (
    <article class="card" aria-label={title}>
      <div class="wait-row">
        <h3>{title}</h3>
        <TimeLeft question={question} atMs={atMs} />
      </div>
      <p class="hint">session {shortId(sessionId)}</p>
      {allowed.length > 0 &&
        ids.map((id) => (
          <Choice
            key={id}
            label={nameOf(id)}
            value={actions[id] ?? ''}
            options={[['', 'as by default'], ...allowed.map((action) => [action, action] as const)]}
            onChange={(action) => setActions({ ...actions, [id]: action })}
          />
        ))}
      {allowed.length === 0 && ids.length > 0 && <p>{ids.map(nameOf).join(', ')}</p>}
      <AnswerButtons onAnswer={ask} />
      {asked !== undefined && (
        <Confirm
          title={agrees ? 'Agree' : 'Refuse for now'}
          verb={agrees ? 'Agree' : 'Refuse for now'}
          says={[meaningOf(question, agrees)]}
          act={() => sendReply(api, question, { agrees, actions }).finally(onReplied)}
          onClose={() => ask(undefined)}
        />
      )}
    </article>
  );
};

const titleOf = (question: Question): string => {
  const [state, instances] = [stateWords(question.state), question.instance_ids.length];
  return instances === 0 ? `${state}: ${questionInWords(question)}` : `${state}, ${count(instances, 'instance')}`;
};

const TimeLeft = ({ question, atMs }: Pick<QuestionCardProps, 'question' | 'atMs'>) =>
  question.reply_at === null ? (
    <span class="hint">not sent yet</span>
  ) : (
    <Left seconds={question.seconds_left} atMs={atMs} />
  );

const AnswerButtons = ({ onAnswer }: { readonly onAnswer: (answer: 'yes' | 'no') => void }) => (
  <div class="buttons">
    <button class="button primary" onClick={() => onAnswer('yes')}>
      Agree
    </button>
    <button class="button" onClick={() => onAnswer('no')}>
      Refuse for now
    </button>
  </div>
);
