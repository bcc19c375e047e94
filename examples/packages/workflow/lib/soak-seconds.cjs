const usualSeconds = 60;

/** How long the fleet is watched: the session's metadata may say it. */
exports.soakSeconds = ({ soak_seconds: seconds }) =>
  typeof seconds === 'number' && seconds >= 0 ? seconds : usualSeconds;
