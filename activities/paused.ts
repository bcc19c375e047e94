/** What an activity answers that would begin something while its session is paused: nothing was done. */
export const paused = 'paused';
export type Paused = typeof paused;

/** A project has refused since what it had accepted: the session is to ask it again before it goes on. */
export const unsettled = 'unsettled';
export type Unsettled = typeof unsettled;
