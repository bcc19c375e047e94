/** The answer of an activity that would begin something while its session is paused: it did nothing. */
export const paused = 'paused';
export type Paused = typeof paused;
