/** The blockers of a plan, the gravest first, with their owners. */
import { nameOr } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import { Chip, type Tone } from '../parts/chip';
import { type BlockerGroup, groupedBlockers, type PlanBlocker } from './blocker-groups';

const shown = 8;
const namesShown = 12;
const tones: Readonly<Record<PlanBlocker['severity'], Tone>> = { stops: 'bad', delays: 'held', note: 'plain' };

const ownerOf = ({ owner, project_id: projectId, project_name: name }: PlanBlocker): string => {
  if (owner === 'project') return `project ${nameOr(projectId ?? '', name)}`;
  return owner === 'admin' ? 'you' : 'the operator of the cloud';
};

export const PlanBlockers = ({ blockers }: { readonly blockers: readonly PlanBlocker[] }) => {
  const groups = groupedBlockers(blockers);
  return (
    <>
      {groups.length === 0 && <p class="big">Nothing</p>}
      <ul class="plain-list">
        {groups.slice(0, shown).map((group) => (
          <Group key={`${group.first.kind} ${group.first.because}`} group={group} />
        ))}
      </ul>
      {groups.length > shown && <p class="hint">and {count(groups.length - shown, 'more', 'more')}</p>}
    </>
  );
};

const Group = ({ group: { first, others } }: { readonly group: BlockerGroup }) => (
  <li>
    <Chip tone={tones[first.severity]}>{first.severity}</Chip> <strong>{first.subject_name}</strong>: {first.because}
    {others.length > 0 && (
      <p>
        The same holds for {others.slice(0, namesShown).join(', ')}
        {others.length > namesShown && ` and ${others.length - namesShown} more`}.
      </p>
    )}
    <p class="hint">
      Up to {ownerOf(first)}: {first.help}
    </p>
  </li>
);
