/** Paths with a secret in them, which whoever reads logs must not see. */

const secretPart = /^(\/v1\/(?:calendars|scheduledevents)\/)[^/]+/i;

/** The path as logs, traces and the audit may show it. */
export const pathToShow = (path: string): string => path.replace(secretPart, '$1…');
