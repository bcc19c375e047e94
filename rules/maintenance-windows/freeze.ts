/** A freeze: named times in which no session begins anything, as outside of a maintenance window. */
import type { MaintenanceWindow } from './maintenance-window';

export interface FreezeRange {
  readonly fromMs: number;
  /** From then on work may begin again. */
  readonly untilMs: number;
}

/** It has a range, or times, in the grammar of maintenance windows. */
export type FreezeTimes =
  | { readonly range: FreezeRange; readonly times?: undefined }
  | { readonly times: readonly MaintenanceWindow[]; readonly range?: undefined };

export type Freeze = FreezeTimes & {
  readonly name: string;
  /** The reason of the admin, for people. */
  readonly reason: string;
};

/** A freeze in the reasons of a session that waits. */
export const freezeInWords = ({ name, reason }: Pick<Freeze, 'name' | 'reason'>): string =>
  `freeze ${name} (${reason})`;
