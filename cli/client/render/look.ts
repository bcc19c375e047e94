import type { Paint } from './paint';
import type { Fit } from './table';

/** How text is shown: the width that it has, and its colours. */
export interface Look extends Fit {
  readonly paint: Paint;
}
