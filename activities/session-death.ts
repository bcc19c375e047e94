/** The failure of a session whose workflow did not live to tell one. */
export const workflowInForceIsGone =
  "the session's workflow was ended from outside (terminated in Temporal, or its history is gone); resume it to go on";
