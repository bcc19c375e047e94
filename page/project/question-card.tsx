/** One question with its answers, and an action for each instance that it is about. */
import { useState } from 'preact/hooks';
import { questionInWords } from '../../rules/words/questions';
import { stateInWords } from '../../rules/words/states';
import { count, shortId } from '../../rules/words/times';
import type { Question } from '../client/types';
import { Confirm } from '../parts/confirm';
import { Choice, TextField } from '../parts/fields';
import { momentAs } from '../parts/time-words';
import { Left } from '../parts/times';
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
  const [notBefore, setNotBefore] = useState('');
  const [asked, ask] = useState<'yes' | 'no' | undefined>(undefined);
  const { instance_ids: ids, allowed_actions: allowed, session_id: sessionId } = question;
  const title = titleOf(question);
  const draft = { agrees: asked === 'yes', actions, notBefore };
  const { agrees } = draft;
  return (
    <article class="card" aria-label={title}>
      <div class="wait-row">
        <h3>{title}</h3>
        <TimeLeft question={question} atMs={atMs} />
      </div>
      <p class="hint">session {shortId(sessionId)}</p>
      <ActionChoices question={question} nameOf={nameOf} actions={actions} onChange={setActions} />
      {allowed.length === 0 && ids.length > 0 && <p>{ids.map(nameOf).join(', ')}</p>}
      <TimeField question={question} value={notBefore} onChange={setNotBefore} />
      <AnswerButtons onAnswer={ask} />
      {asked !== undefined && (
        <Confirm
          title={agrees ? 'Agree' : 'Refuse for now'}
          verb={agrees ? 'Agree' : 'Refuse for now'}
          says={[meaningOf(question, draft)]}
          act={() => sendReply(api, question, draft).finally(onReplied)}
          onClose={() => ask(undefined)}
        />
      )}
    </article>
  );
};

interface ActionChoicesProps extends Pick<QuestionCardProps, 'question' | 'nameOf'> {
  readonly actions: Readonly<Record<string, string>>;
  readonly onChange: (actions: Readonly<Record<string, string>>) => void;
}

const ActionChoices = ({ question, nameOf, actions, onChange }: ActionChoicesProps) => {
  const { instance_ids: ids, allowed_actions: allowed } = question;
  if (allowed.length === 0) return null;
  return ids.map((id) => (
    <Choice
      key={id}
      label={nameOf(id)}
      value={actions[id] ?? ''}
      options={[['', 'as by default'], ...allowed.map((action) => [action, action] as const)]}
      onChange={(action) => onChange({ ...actions, [id]: action })}
    />
  ));
};

interface TimeFieldProps extends Pick<QuestionCardProps, 'question'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Only where the session lets its owners put work off. */
const TimeField = ({ question: { not_before_latest: latest, deadline }, value, onChange }: TimeFieldProps) =>
  latest === null ? null : (
    <TextField
      label="Not before"
      type="datetime-local"
      hint={
        `in your time zone, at the latest ${momentAs(latest)}; empty: at any time` +
        (deadline === null ? '' : `; a time after ${momentAs(deadline)} makes the session late`)
      }
      value={value}
      onChange={onChange}
    />
  );

const titleOf = (question: Question): string => {
  const [state, instances] = [stateInWords(question.state), question.instance_ids.length];
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
