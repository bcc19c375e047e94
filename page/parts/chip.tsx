/**
 * A word in a colour: the word alone says it too. Each colour has one meaning, everywhere on the page. plain: to come,
 * or left out; work: instances or hosts move; busy: in maintenance; good: done; bad: somebody has to look; held: a
 * person has stopped it.
 */
export type Tone = 'plain' | 'work' | 'busy' | 'good' | 'bad' | 'held';

export const Chip = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => (
  <span class={`chip ${tone}`}>{children}</span>
);
