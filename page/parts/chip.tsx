/** A word in a colour: the word alone says it too. */
export type Tone = 'plain' | 'work' | 'busy' | 'good' | 'bad' | 'held';

export const Chip = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => (
  <span class={`chip ${tone}`}>{children}</span>
);
