/** Who or what holds it up, who can do something about that, and how long still. */
import { ownerInWords } from '../../rules/obstacles/owner';
import { inWords, ownedWait } from '../../rules/reasons/in-words';
import { withShortIds } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import type { Plan, Summary, Wait } from '../client/types';
import type { Seen } from '../live/count-down';
import { isAtWork } from '../live/readiness';
import { groupedBlockers } from '../parts/blocker-groups';
import { BlockerItems, Blockers } from '../parts/blockers';
import { FurtherReason } from '../parts/further-reason';
import { Left } from '../parts/times';

const shown = 6;

interface WaitCardProps {
  readonly seen: Seen<Summary>;
  readonly plan: Plan | undefined;
}

export const WaitCard = ({ seen: { body, atMs }, plan }: WaitCardProps) => {
  const { blockers, waiting, ends_at: end, end_from: from } = body;
  // The look names the causes that hold the session up now; the plan names those that will, among others.
  const stops = (plan?.blockers ?? []).filter(({ severity }) => severity === 'stops');
  const toCome = end === null && from === 'plan' ? stops : [];
  const isClear = blockers.length === 0 && waiting.length === 0 && toCome.length === 0;
  return (
    <section class="card" aria-labelledby="who">
      <h2 id="who">What holds it up</h2>
      {isClear && <p class="big">Nothing</p>}
      <ul class="plain-list">
        <BlockerItems groups={groupedBlockers(blockers).slice(0, shown)} />
        {waiting.slice(0, shown).map((wait) => (
          <WaitLine key={`${wait.waiting_for} ${wait.subject_id ?? wait.subject}`} wait={wait} atMs={atMs} />
        ))}
      </ul>
      {toCome.length > 0 && (
        <>
          <h3>What will stop it, by its plan</h3>
          <Blockers blockers={toCome} />
        </>
      )}
      <More number={Math.max(0, blockers.length - shown) + Math.max(0, waiting.length - shown)} />
    </section>
  );
};

const More = ({ number }: { readonly number: number }) =>
  number === 0 ? null : <p class="hint">and {count(number, 'more', 'more')}; the hosts below tell theirs</p>;

const WaitLine = ({ wait, atMs }: { readonly wait: Wait; readonly atMs: number }) => (
  <li>
    <span class="wait-row">
      <span>
        <strong>{inWords(wait)}</strong>
        <FurtherReason wait={wait} />
      </span>
      <Left seconds={wait.seconds_left} atMs={atMs} />
    </span>
    <p class="hint">
      {whoWaits(wait)} · up to {ownerInWords(ownedWait(wait), isAtWork.value)}
    </p>
  </li>
);

const whoWaits = ({ host_count: hosts, instance_count: instances, names }: Wait): string => {
  if (hosts + instances === 0) return 'the session waits';
  if (hosts + instances <= 2) return `${withShortIds(names.join(' and '))} ${names.length === 1 ? 'waits' : 'wait'}`;
  const parts = [hosts > 0 ? count(hosts, 'host') : '', instances > 0 ? count(instances, 'instance') : ''];
  return `${parts.filter((part) => part !== '').join(' and ')} wait`;
};
