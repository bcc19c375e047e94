/** What an activity answers that would begin something while its session is paused: nothing was done. */
export const paused = 'paused';
export type Paused = typeof paused;
