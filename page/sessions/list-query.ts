/** The filters of the list of sessions, and the query that they make. */
export interface ListDraft {
  readonly state: string;
  /** Days; empty: all. */
  readonly days: string;
  readonly host: string;
  readonly name: string;
  readonly isArchived: boolean;
}

export const noFilters: ListDraft = { state: '', days: '', host: '', name: '', isArchived: false };

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** A day is cut to the hour, so that the same filters make the same query for a while. */
export const queryOf = ({ state, days, host, name, isArchived }: ListDraft, nowMs: number) => {
  const since = new Date(Math.floor((nowMs - Number(days) * dayMs) / hourMs) * hourMs).toISOString();
  return {
    ...(state !== '' && { state }),
    ...(days !== '' && { since }),
    ...(host.trim() !== '' && { host: host.trim() }),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(isArchived && { archived: 'true' }),
  };
};
