/** What holds a session up, as rows: those that need a person first, and those that end by themselves. */
import { ownerInWords } from '../../rules/obstacles/owner';
import { furtherReason, helpForWait, inWords, ownedWait, ownerOfWait } from '../../rules/reasons/in-words';
import { firstLineOf } from '../../rules/words/failure-of-host';
import { withShortIds } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import { asSeen } from '../../rules/words/what-they-see';
import type { Blocker, Summary, Wait } from '../client/types';
import { groupedBlockers } from '../parts/blocker-groups';

export interface LaneRow {
  readonly key: string;
  /** stops, delays, note: as of a blocker; waits: of a wait. */
  readonly weight: Blocker['severity'] | 'waits';
  /** Who waits, up to "for"; empty: the words say it. */
  readonly lead: string;
  /** The thing that holds it up. */
  readonly words: string;
  /** How many others the words hold for; empty: for none. */
  readonly more: string;
  /** Who can put it out of the way. */
  readonly upTo: string;
  /** The hosts that it holds up, as far as they are told. */
  readonly hosts: readonly string[];
  /** How many hosts it holds up besides. */
  readonly moreHosts: number;
  /** Its reason and what would help; empty: nothing more is known. */
  readonly why: readonly string[];
  /** The seconds that are left at the moment of the answer; null: not known. */
  readonly secondsLeft: number | null;
}

export interface Lane {
  readonly forPeople: readonly LaneRow[];
  readonly byItself: readonly LaneRow[];
  /** Good to know: nothing waits for them. */
  readonly notes: readonly LaneRow[];
}

type Share = keyof Lane;

/** @param isAtWork false while the service is not ready: nothing ends by itself then */
export const laneOf = ({ blockers, waiting }: Pick<Summary, 'blockers' | 'waiting'>, isAtWork: boolean): Lane => {
  const rows: readonly (readonly [Share, LaneRow])[] = [
    ...groupedBlockers(blockers).map(
      ({ first, others }) => [shareOf(first, isAtWork), rowOfBlocker(first, others, isAtWork)] as const,
    ),
    ...waiting.map((wait) => {
      const share: Share = ownerOfWait(wait) === 'service' && isAtWork ? 'byItself' : 'forPeople';
      return [share, rowOfWait(wait, isAtWork)] as const;
    }),
  ];
  const those = (share: Share): LaneRow[] => rows.flatMap(([of, row]) => (of === share ? [row] : []));
  return { forPeople: those('forPeople'), byItself: those('byItself'), notes: those('notes') };
};

/** A session that stops needs a person, whoever does the next step. */
const shareOf = ({ severity, owner }: Blocker, isAtWork: boolean): Share => {
  if (severity === 'stops') return 'forPeople';
  if (severity === 'note') return 'notes';
  return owner === 'service' && isAtWork ? 'byItself' : 'forPeople';
};

const said = (text: string): string => withShortIds(asSeen(text, 'page'));

export const rowOfBlocker = (blocker: Blocker, others: readonly string[], isAtWork: boolean): LaneRow => {
  const { kind, severity, subject_kind: about, subject_name: name, because, help } = blocker;
  const isAboutHosts = about === 'host';
  return {
    key: `${kind} ${because}`,
    weight: severity,
    lead: '',
    words: said(firstLineOf(because)),
    more: others.length === 0 ? '' : `and the same for ${count(others.length, isAboutHosts ? 'more host' : 'other')}`,
    upTo: ownerInWords(blocker, isAtWork),
    hosts: isAboutHosts ? [name, ...others] : [],
    moreHosts: 0,
    why: [...(others.length > 0 && !isAboutHosts ? [`The same holds for ${others.join(', ')}.`] : []), said(help)],
    secondsLeft: null,
  };
};

const rowOfWait = (wait: Wait, isAtWork: boolean): LaneRow => ({
  key: `${wait.waiting_for} ${wait.subject_id ?? wait.subject}`,
  weight: 'waits',
  lead: `${whoWaits(wait)} for`,
  words: inWords(wait),
  more: '',
  upTo: ownerInWords(ownedWait(wait), isAtWork),
  hosts: wait.names.slice(0, wait.host_count),
  moreHosts: Math.max(0, wait.host_count - wait.names.length),
  why: [furtherReason(wait) ?? '', helpForWait(wait) ?? ''].filter((one) => one !== '').map(said),
  secondsLeft: wait.seconds_left,
});

const whoWaits = ({ host_count: hosts, instance_count: instances, names }: Wait): string => {
  if (hosts + instances === 0) return 'The session waits';
  if (hosts + instances <= 2) return `${withShortIds(names.join(' and '))} ${names.length === 1 ? 'waits' : 'wait'}`;
  const parts = [hosts > 0 ? count(hosts, 'host') : '', instances > 0 ? count(instances, 'instance') : ''];
  return `${parts.filter((part) => part !== '').join(' and ')} wait`;
};
