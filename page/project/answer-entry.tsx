/** The answer to a question from one entry of the calendar: about the instance of the entry. */
import { useState } from 'preact/hooks';
import type { ComingEntry, Question } from '../client/types';
import { Confirm } from '../parts/confirm';
import { Choice, TextField } from '../parts/fields';
import { momentAs } from '../parts/time-words';
import { useSignedIn } from '../signed-in';
import { meaningForOne, replyForOne } from './reply';
import { sendBody } from './send-reply';

/** now: it may begin. later: not before a time. how: the action is chosen. */
export type EntryAnswer = 'now' | 'later' | 'how';

interface AnswerEntryProps {
  readonly kind: EntryAnswer;
  readonly entry: ComingEntry;
  readonly question: Question;
  readonly onReplied: () => void;
  readonly onClose: () => void;
}

const titles: Readonly<Record<EntryAnswer, string>> = {
  now: 'may begin now',
  later: 'not before a time',
  how: 'choose how it leaves its host',
};

export const AnswerEntry = ({ kind, entry, question, onReplied, onClose }: AnswerEntryProps) => {
  const { api } = useSignedIn();
  const [notBefore, setNotBefore] = useState('');
  const [action, setAction] = useState('');
  const { not_before_latest: latest } = question;
  const draft = { instanceId: entry.instance_id, action, notBefore };
  const isReady = (kind !== 'later' || notBefore !== '') && (kind !== 'how' || action !== '');
  return (
    <Confirm
      title={`${entry.instance_name}: ${titles[kind]}`}
      verb="Agree"
      says={isReady ? meaningForOne(question, draft) : []}
      isReady={isReady}
      about={draft}
      act={() => sendBody(api, question, replyForOne(question, draft)).finally(onReplied)}
      onClose={onClose}
    >
      {kind === 'later' && latest !== null && (
        <TextField
          label="Not before"
          type="datetime-local"
          hint={`in your time zone, at the latest ${momentAs(latest)}`}
          value={notBefore}
          onChange={setNotBefore}
        />
      )}
      {kind !== 'now' && question.allowed_actions.length > 0 && (
        <Choice
          label="How"
          value={action}
          options={[['', 'as by default'], ...question.allowed_actions.map((one) => [one, one] as const)]}
          onChange={setAction}
        />
      )}
    </Confirm>
  );
};
