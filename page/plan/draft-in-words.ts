/** The parts of the form that are folded away, each in few words. */
import { count } from '../../rules/words/times';
import { type changeFrom, type Draft, listIn } from './draft';

export interface PartInWords {
  readonly says: string;
  /** True where somebody has set it. */
  readonly isSet: boolean;
}

type Part =
  | 'plugins'
  | 'limits'
  | 'eviction'
  | 'replies'
  | 'postpone'
  | 'ownerHours'
  | 'canary'
  | 'windows'
  | 'freezes'
  | 'downloads';

const usual = (says: string): PartInWords => ({ says, isSet: false });
const listed = (words: readonly (string | false)[], otherwise: string): PartInWords => {
  const said = words.filter((one) => one !== false && one !== '');
  return said.length === 0 ? usual(otherwise) : { says: said.join(', '), isSet: true };
};

const parts: Readonly<Record<Part, (draft: Draft) => PartInWords>> = {
  plugins: ({ actions }) =>
    listed(
      actions.map(({ plugin }) => plugin.trim() || 'not named yet'),
      'none: hosts are drained and enabled again',
    ),
  limits: (draft) =>
    listed(
      [
        draft.maxParallel !== '' && `${draft.maxParallel} at once`,
        draft.maxPer !== '' && `at once ${draft.maxPer}`,
        draft.oneDomain !== '' && `one ${draft.oneDomain} at a time`,
        draft.maxFailed !== '' && `${draft.maxFailed} may fail`,
        draft.hostStart !== '' && `${draft.hostStart} s to start`,
        draft.deadline !== '' && 'a deadline',
        draft.failedHosts === 'enable' && 'failed hosts are enabled',
      ],
      'as many at once as is safe',
    ),
  eviction: (draft) =>
    listed(
      [
        draft.unmanagedPods !== '' && 'pods that nothing makes again',
        draft.localData !== '' && 'pods with local data',
        draft.forced !== '' && 'refused evictions',
        draft.completeWithin !== '' && `${draft.completeWithin} s to complete`,
      ],
      'as the settings say',
    ),
  replies: ({ silence, lastNack }) =>
    listed([silence !== '' && 'silence', lastNack !== '' && 'the last refusal'], 'as by default'),
  postpone: ({ postponeSeconds, postponeUntil }) =>
    listed(
      [postponeSeconds === '' ? postponeUntil !== '' && 'until a time' : `for ${postponeSeconds} s`],
      'not at all',
    ),
  ownerHours: ({ ownerHours }) =>
    listed([{ keep: 'kept', until: 'kept until a time', ignore: 'ignored', '': '' }[ownerHours]], 'kept'),
  canary: ({ canaryHosts }) =>
    listed([/^\s*\d+\s*$/.test(canaryHosts) ? `${canaryHosts.trim()} first` : canaryHosts], 'none'),
  windows: ({ windows }) => listed([windows.length > 0 && count(windows.length, 'window')], 'at any time'),
  freezes: ({ ignoreFreezes }) => listed([ignoreFreezes !== '' && 'ignored'], 'kept'),
  downloads: ({ downloads, metadata }) =>
    listed([downloads !== '' && count(listIn(downloads).length, 'package'), metadata !== '' && 'metadata'], 'none'),
};

export const partInWords = (part: Part, draft: Draft): PartInWords => parts[part](draft);

type ChangedName = keyof ReturnType<typeof changeFrom>;

/** The parts of the form by which a running session is steered. */
const steered: Readonly<Record<ChangedName, string>> = {
  max_parallel_hosts: 'the number of hosts under work at once',
  max_parallel_per: 'the number of hosts at once for each label',
  one_domain_at_a_time: 'the label that hosts under work have in common',
  host_start_seconds: 'the time for a host to be up again',
  max_failed_hosts: 'the number of hosts that may fail',
  failed_hosts: 'what becomes of hosts that have failed',
  reply_policy: 'what follows where a project does not agree',
  postpone: 'how long projects may put work off',
  owner_hours: 'whether the hours of owners are kept',
  canary: 'the canary',
  deadline: 'the deadline',
  eviction: 'the pods that somebody may miss',
  windows: 'the maintenance windows',
  ignore_freezes: 'whether freezes are ignored',
};

export const changeInWords = (change: ReturnType<typeof changeFrom>): string => {
  const [first, ...others] = (Object.keys(change) as ChangedName[]).map((name) => steered[name]).toReversed();
  if (first === undefined) return 'Change what you like; the session looks at it at once.';
  const names = others.length === 0 ? first : `${others.toReversed().join(', ')} and ${first}`;
  return `You change ${names}, and leave everything else as it is.`;
};
