/** What holds the session up: a row for each thing that needs a person; what ends by itself is folded. */
import { useState } from 'preact/hooks';
import { count } from '../../rules/words/times';
import type { Plan, Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { isAtWork } from '../live/readiness';
import { groupedBlockers } from '../parts/blocker-groups';
import { AskRequest } from './ask-request';
import { LaneList } from './lane-list';
import { laneOf, type LaneRow, rowOfBlocker } from './lane-rows';
import { lookAgain, type SessionLooks } from './session-looks';

const shown = 6;

interface LaneProps {
  readonly seen: Seen<Summary>;
  readonly looks: SessionLooks;
}

export const Lane = ({ seen, looks }: LaneProps) => {
  const { body } = seen;
  const [hostsToSkip, skip] = useState<readonly string[]>([]);
  const { forPeople, byItself } = laneOf(body, isAtWork.value);
  const rows = [...forPeople, ...stopsToCome(body, looks.plan.seen.value?.body)];
  const list = (some: readonly LaneRow[]) => <LaneList rows={some} seen={seen} onSkip={skip} />;
  return (
    <section class="lane" aria-labelledby="who">
      <h2 id="who">What holds it up</h2>
      {rows.length === 0 && <p class="lane-calm">Nothing that needs a person.</p>}
      {list(rows.slice(0, shown))}
      {rows.length > shown && <Folded words={`${rows.length - shown} more`}>{list(rows.slice(shown))}</Folded>}
      {byItself.length > 0 && (
        <Folded words={`${count(byItself.length, 'thing')} that will pass without you`}>{list(byItself)}</Folded>
      )}
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

/** The summary names the causes that hold the session up now; the plan names those that will, among others. */
const stopsToCome = ({ ends_at: end, end_from: from }: Summary, plan: Plan | undefined): LaneRow[] => {
  if (end !== null || from !== 'plan') return [];
  const stops = (plan?.blockers ?? []).filter(({ severity }) => severity === 'stops');
  return groupedBlockers(stops).map(({ first, others }) => ({
    ...rowOfBlocker(first, others, isAtWork.value),
    lead: 'By its plan it will stop:',
  }));
};

const Folded = ({ words, children }: { readonly words: string; readonly children: preact.ComponentChildren }) => (
  <details class="lane-folded">
    <summary>{words}</summary>
    {children}
  </details>
);
