/** Labels of hosts: what a cloud says of a host by keys, such as its zone, for people and for selectors. */

/** A text may be a list: commas separate its parts, as in the metadata of Nova's aggregates. */
export type HostLabels = Readonly<Record<string, string>>;

/** The parts of a label's text. An empty text has one part, which is empty. */
export const partsOf = (text: string): readonly string[] => text.split(',').map((part) => part.trim());
