/** Whether the service is ready, as it was seen last: nothing ends by itself while it is not. */
import { signal } from '@preact/signals';

export const isAtWork = signal(true);
