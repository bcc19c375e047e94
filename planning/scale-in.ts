import type { ScaleInNeed } from './decision';
import type { Fleet } from './fleet';

export function scaleInNeed(_fleet: Fleet, _sessionId: string): ScaleInNeed | undefined {
  throw new RangeError('not decided yet');
}
