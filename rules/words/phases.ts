/** The phases of a host as people read them: the same in the terminal and on the page. */

export const phaseWords = {
  waiting: 'waiting',
  emptying: 'draining',
  maintaining: 'in maintenance',
  releasing: 'going back',
  maintained: 'maintained',
  failed: 'failed',
  set_aside: 'set aside',
  skipped: 'skipped',
} as const;

type NamedPhase = keyof typeof phaseWords;

const isNamed = (phase: string): phase is NamedPhase => Object.hasOwn(phaseWords, phase);

/** A phase of a newer service is said as it is. */
export const phaseInWords = (phase: string): string => (isNamed(phase) ? phaseWords[phase] : phase);

/** Says for example `1 draining, 2 maintained`; phases without hosts are left out. */
export const phaseCounts = (hosts: Readonly<Record<string, number>>): string =>
  Object.entries(hosts)
    .filter(([, number]) => number > 0)
    .map(([phase, number]) => `${number} ${phaseInWords(phase)}`)
    .join(', ');

/** The API's name of a phase that is given by its name or in words. */
export const phaseNamed = (text: string): string =>
  Object.keys(phaseWords).find((phase) => isNamed(phase) && phaseWords[phase] === text.trim()) ?? text.trim();
