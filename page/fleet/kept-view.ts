/** The view of the hosts that somebody has chosen last in this tab of the browser. */
export type HostsView = 'timeline' | 'fleet' | 'moves' | 'burn-down';

export const viewWords: readonly (readonly [HostsView, string])[] = [
  ['timeline', 'Timeline'],
  ['fleet', 'Fleet'],
  ['moves', 'Moves'],
  ['burn-down', 'Burn-down'],
];

const keptAs = 'parley-hosts-view';

export const keptView = (): HostsView => {
  const kept = sessionStorage.getItem(keptAs);
  return viewWords.find(([name]) => name === kept)?.[0] ?? 'timeline';
};

export const keepView = (view: HostsView): void => sessionStorage.setItem(keptAs, view);
