/** What holds the session up: a row for each thing that needs a person; what ends by itself is folded. */
import { useState } from 'preact/hooks';
import { count } from '../../rules/words/times';
import type { Plan, Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { isAtWork } from '../live/readiness';
import { groupedBlockers } from '../parts/blocker-groups';
import { Folded } from '../parts/folded';
import { LookNote } from '../parts/look-note';
import { AskRequest } from './ask-request';
import { LaneList } from './lane-list';
import { laneOf, type LaneRow, rowOfBlocker } from './lane-rows';
import { lookAgain, type SessionLooks } from './session-looks';

const shown = 6;
/** More rows than that nobody reads, and the plan of a full cloud has thousands. */
const most = 100;

interface LaneProps {
  readonly seen: Seen<Summary>;
  readonly looks: SessionLooks;
}

export const Lane = ({ seen, looks }: LaneProps) => {
  const { body } = seen;
  const [hostsToSkip, skip] = useState<readonly string[]>([]);
  const { forPeople, byItself, notes } = laneOf(body, isAtWork.value);
  const plan = looks.plan.seen.value?.body;
  const rows = [...forPeople, ...stopsToCome(body, plan)];
  const list = (some: readonly LaneRow[]) => () => <LaneList rows={some} seen={seen} onSkip={skip} />;
  return (
    <section class="lane" aria-labelledby="who">
      <h2 id="who">{body.progress === 'done' ? 'What it leaves to do' : 'What holds it up'}</h2>
      {rows.length === 0 && <Calm isKnown={!isStopping(body) || plan !== undefined} look={looks.plan} />}
      {list(rows.slice(0, shown))()}
      {rows.length > shown && <Folded words={`${rows.length - shown} more`} show={list(rows.slice(shown, most))} />}
      {byItself.length > 0 && (
        <Folded
          words={`${count(byItself.length, 'thing')} that will pass without you`}
          show={list(byItself.slice(0, most))}
        />
      )}
      {notes.length > 0 && <Folded words={count(notes.length, 'note')} show={list(notes.slice(0, most))} />}
      {hostsToSkip.length > 0 && (
        <AskRequest
          request="skip"
          summary={body}
          hosts={hostsToSkip}
          onClose={() => skip([])}
          onDone={() => lookAgain(looks)}
        />
      )}
    </section>
  );
};

/** By its plan it would not come to its end. */
const isStopping = ({ ends_at: end, end_from: from }: Summary): boolean => end === null && from === 'plan';

/** The plan alone knows what will stop a session. */
const Calm = ({ isKnown, look }: { readonly isKnown: boolean; readonly look: SessionLooks['plan'] }) =>
  isKnown ? (
    <p class="lane-calm">Nothing that needs a person.</p>
  ) : (
    <div class="lane-calm">
      What will stop it is not known yet. <LookNote look={look} />
    </div>
  );

/** The summary names the causes that hold the session up now; the plan names those that will, among others. */
const stopsToCome = (summary: Summary, plan: Plan | undefined): LaneRow[] => {
  if (!isStopping(summary)) return [];
  const stops = (plan?.blockers ?? []).filter(({ severity }) => severity === 'stops');
  return groupedBlockers(stops).map(({ first, others }) => ({
    ...rowOfBlocker(first, others, isAtWork.value),
    lead: 'By its plan it will stop:',
  }));
};
