/** The week of a project: what is coming for its instances on each day. */
import { useState } from 'preact/hooks';
import { count, shortId } from '../../rules/words/times';
import type { ComingEntry, Question } from '../client/types';
import { nowMs } from '../live/clock';
import { Chip, type Tone } from '../parts/chip';
import { exactly, timeAs } from '../parts/time-words';
import { Moment } from '../parts/times';
import { AnswerEntry, type EntryAnswer } from './answer-entry';
import { type Day, timeOf, weekOf } from './week';

interface CalendarProps {
  readonly coming: readonly ComingEntry[];
  readonly questions: readonly Question[];
  readonly onReplied: () => void;
}

export const WeekCalendar = ({ coming, questions, onReplied }: CalendarProps) => {
  const { days, later, sometime } = weekOf(coming, nowMs.value);
  const shown = { questions, onReplied };
  return (
    <section aria-labelledby="coming">
      <h2 id="coming">What is coming</h2>
      {coming.length === 0 && <p>Nothing in the sessions that are there now.</p>}
      {coming.length > 0 && (
        <ol class="week">
          {days.map((day) => (
            <DayOfWeek key={day.from.getTime()} of={day} {...shown} />
          ))}
        </ol>
      )}
      <Rest title="After this week" entries={later} {...shown} />
      <Rest title="At a time that is not known yet" entries={sometime} {...shown} />
    </section>
  );
};

interface Shown extends Pick<CalendarProps, 'questions' | 'onReplied'> {
  /** The day that stands above the entries; left out: none. */
  readonly day?: Date;
}

const DayOfWeek = ({ of: { from, entries }, ...shown }: Shown & { readonly of: Day }) => (
  <li class={entries.length === 0 ? 'day empty' : 'day'}>
    <h3>{timeAs('day', from)}</h3>
    {entries.length === 0 ? <p class="hint">nothing</p> : <Entries entries={entries} day={from} {...shown} />}
  </li>
);

const Rest = ({
  title,
  entries,
  ...shown
}: Shown & { readonly title: string; readonly entries: readonly ComingEntry[] }) =>
  entries.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <Entries entries={entries} {...shown} />
    </>
  );

/** A project may have thousands of instances. */
const mostAtFirst = 8;

/** By session, which says its reason once. */
const Entries = ({ entries, ...shown }: Shown & { readonly entries: readonly ComingEntry[] }) => {
  const [isWhole, showWhole] = useState(false);
  const seen = isWhole ? entries : entries.slice(0, mostAtFirst);
  return (
    <>
      {[...Map.groupBy(seen, ({ session_id: id }) => id)].map(([id, own]) => (
        <div key={id}>
          <p class="hint">
            session {shortId(id)}
            {own[0]?.reason && `: ${own[0].reason}`}
          </p>
          <ul class="plain-list">
            {own.map((entry) => (
              <Entry key={entry.instance_id} entry={entry} {...shown} />
            ))}
          </ul>
        </div>
      ))}
      {seen.length < entries.length && (
        <button class="button quiet" onClick={() => showWhole(true)}>
          and {count(entries.length - seen.length, 'more instance')}
        </button>
      )}
    </>
  );
};

const statuses: Readonly<Record<ComingEntry['status'], readonly [string, Tone]>> = {
  inquiring: ['you are asked', 'busy'],
  scheduled: ['scheduled', 'plain'],
  executing: ['goes on', 'work'],
  completed: ['done', 'good'],
  failed: ['failed', 'bad'],
  canceled: ['canceled', 'plain'],
};

const Entry = ({ entry, questions, onReplied, day }: Shown & { readonly entry: ComingEntry }) => {
  const [words, tone] = statuses[entry.status];
  const question = questionOf(entry, questions);
  return (
    <li class="entry">
      <p class="entry-head">
        <strong title={entry.instance_id}>{entry.instance_name}</strong> <Chip tone={tone}>{words}</Chip>
      </p>
      <EntryTime entry={entry} day={day} />
      <NotBefore entry={entry} />
      {question !== undefined && <EntryButtons entry={entry} question={question} onReplied={onReplied} />}
    </li>
  );
};

/** The open question about the entry; undefined: there is none, or it has just been answered. */
const questionOf = (entry: ComingEntry, questions: readonly Question[]): Question | undefined =>
  questions.find(
    ({ session_id: session, reply_url: url, instance_ids: ids }) =>
      session === entry.session_id && url === entry.reply_url && ids.includes(entry.instance_id),
  );

const clockAt = (time: string): string => timeAs('clock', time);

interface EntryTimeProps {
  readonly entry: ComingEntry;
  readonly day: Date | undefined;
}

const EntryTime = ({ entry, day }: EntryTimeProps) => {
  const { starts_at: starts, ended_at: ended, impact } = entry;
  const time = timeOf(entry);
  const hasDay = time !== undefined && new Date(time).toDateString() === day?.toDateString();
  return (
    <p class="hint">
      {time !== undefined && (hasDay ? <strong title={exactly(time)}>{clockAt(time)}</strong> : <Moment at={time} />)}
      {starts !== null && ` (${clockAt(starts.earliest)} to ${clockAt(starts.latest)})`}
      {ended !== null && ` to ${clockAt(ended)}`}
      {time !== undefined && ' · '}
      {impact ?? 'how is not known yet'}
    </p>
  );
};

const NotBefore = ({ entry: { not_before: time, deadline } }: { readonly entry: ComingEntry }) =>
  time === null ? null : (
    <p class="hint">
      not before <Moment at={time} />
      {deadline !== null && (
        <>
          , which is behind the deadline of the session, <Moment at={deadline} />
        </>
      )}
    </p>
  );

interface EntryButtonsProps extends Pick<CalendarProps, 'onReplied'> {
  readonly entry: ComingEntry;
  readonly question: Question;
}

const EntryButtons = ({ entry, question, onReplied }: EntryButtonsProps) => {
  const [asked, ask] = useState<EntryAnswer | undefined>(undefined);
  const { not_before_latest: latest, allowed_actions: actions } = question;
  const button = (kind: EntryAnswer, words: string) => (
    <button class="button small" aria-label={`${words}: ${entry.instance_name}`} onClick={() => ask(kind)}>
      {words}
    </button>
  );
  return (
    <div class="buttons">
      {button('now', 'May begin now')}
      {latest !== null && button('later', 'Not before …')}
      {actions.length > 0 && button('how', 'How')}
      {asked !== undefined && (
        <AnswerEntry
          kind={asked}
          entry={entry}
          question={question}
          onReplied={onReplied}
          onClose={() => ask(undefined)}
        />
      )}
    </div>
  );
};
