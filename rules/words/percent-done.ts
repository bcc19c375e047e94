/** The `percent_done` of a session: an integer, rounded down so that 100 means all; 100 when it has no hosts. */
export const percentDone = ({ maintained, total }: { readonly maintained: number; readonly total: number }): number =>
  total === 0 ? 100 : Math.floor((100 * maintained) / total);
