const usualSeconds = 60;

/** The time for which the fleet is watched. The session's metadata may change it. */
exports.soakSeconds = ({ soak_seconds: seconds }) =>
  typeof seconds === 'number' && seconds >= 0 ? seconds : usualSeconds;
