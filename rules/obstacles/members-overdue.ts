/** Words for members of a group that do not serve although they have had the time that a member needs to begin. */
import type { Cause } from './blocker';

interface LimitWithOverdue {
  readonly name: string;
}

interface Overdue {
  readonly count: number;
  readonly because: string;
  readonly isOfLastMoved?: true;
}

/** Why no further member of the group is moved, and what would help. */
export const overdueCause = ({ name }: LimitWithOverdue, { count, because, isOfLastMoved }: Overdue): Cause => {
  const others = count > 1 ? `, and ${String(count - 1)} more of ${name}` : '';
  const inVain = isOfLastMoved ? '; none of the members that were moved last has begun to serve' : '';
  return {
    owner: 'project',
    because: `${because}${others}${inVain}: no further member of ${name} is moved before`,
    help: 'let its project repair it; the service goes on by itself then',
  };
};
