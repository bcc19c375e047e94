/** A freeze in the words of the interface. */
import type { StoredFreeze } from '../../prisma/session/freezes';
import { standingOf } from '../../rules/maintenance-windows/freeze-standing';
import type { FreezeBody } from '../schemas/freeze-schemas';
import { serializeWindow } from './serialize-steering';

const timeOf = (date: Date | null): string | null => date?.toISOString() ?? null;

export const serializeFreeze = ({ freeze, createdAt, updatedAt }: StoredFreeze, now: Date): FreezeBody => {
  const { name, reason, range, times } = freeze;
  const { isActive, beginsAt, endsAt } = standingOf(freeze, now);
  return {
    name,
    reason,
    from: range === undefined ? null : new Date(range.fromMs).toISOString(),
    until: range === undefined ? null : new Date(range.untilMs).toISOString(),
    times: times === undefined ? null : times.map(serializeWindow),
    active: isActive,
    begins_at: timeOf(beginsAt),
    ends_at: timeOf(endsAt),
    created_at: createdAt.toISOString(),
    updated_at: timeOf(updatedAt),
  };
};
