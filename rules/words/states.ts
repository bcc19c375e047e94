/** States of sessions in words. */

/** PLANNED_MAINTENANCE as planned maintenance. */
export const stateInWords = (state: string): string => state.toLowerCase().replaceAll('_', ' ');
