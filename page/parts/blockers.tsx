/** What stands in the way, the gravest first, with their owners: of a plan, and of a session now. */
import { ownerInWords } from '../../rules/obstacles/owner';
import { withShortIds } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import { asSeen } from '../../rules/words/what-they-see';
import type { Blocker } from '../client/types';
import { type BlockerGroup, groupedBlockers } from './blocker-groups';
import { Chip, type Tone } from './chip';

const shown = 8;
const namesShown = 12;
const tones: Readonly<Record<Blocker['severity'], Tone>> = { stops: 'bad', delays: 'plain', note: 'plain' };

export const Blockers = ({ blockers }: { readonly blockers: readonly Blocker[] }) => {
  const groups = groupedBlockers(blockers);
  return (
    <>
      {groups.length === 0 && <p class="big">Nothing</p>}
      <ul class="plain-list">
        <BlockerItems groups={groups.slice(0, shown)} />
      </ul>
      {groups.length > shown && <p class="hint">and {count(groups.length - shown, 'more', 'more')}</p>}
    </>
  );
};

export const BlockerItems = ({ groups }: { readonly groups: readonly BlockerGroup[] }) => (
  <>
    {groups.map(({ first, others }) => (
      <li key={`${first.kind} ${first.because}`}>
        <Chip tone={tones[first.severity]}>{first.severity}</Chip> {withShortIds(asSeen(first.because, 'page'))}
        {others.length > 0 && (
          <p>
            The same holds for {others.slice(0, namesShown).join(', ')}
            {others.length > namesShown && ` and ${others.length - namesShown} more`}.
          </p>
        )}
        <p class="hint">
          Up to {ownerInWords(first)}: {withShortIds(asSeen(first.help, 'page'))}
        </p>
      </li>
    ))}
  </>
);
