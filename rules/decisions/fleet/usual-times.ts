/** The durations that are expected before anything similar was observed: the settings PARLEY_EXPECTED_*. */
export interface UsualTimes {
  readonly maintenanceSeconds: number;
  readonly moveSeconds: number;
  readonly answerSeconds: number;
}

/** The defaults of these settings. */
export const usualTimes: UsualTimes = { maintenanceSeconds: 900, moveSeconds: 30, answerSeconds: 10 };
