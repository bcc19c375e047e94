/** A failure of a host in words, with the name of the host and without it. */

/** The reason, which begins with the name of the host. */
export const failureNaming = (hostname: string, reason: string): string => {
  const who = `host ${hostname}`;
  return reason.startsWith(`${who} `) || reason.startsWith(`${who}:`) ? reason : `${who}: ${reason}`;
};

/** The same without the name, for a place that names the host. */
export const failureOn = (hostname: string, failure: string): string => {
  const who = `host ${hostname}: `;
  return failure.startsWith(who) ? failure.slice(who.length) : failure;
};

/** A failed plug-in adds its last lines, which its record has, too: places with little room leave those to it. */
export const firstLineOf = (failure: string): string => {
  const [first = '', ...others] = failure.split('\n');
  return others.length === 0 ? first : `${first} …`;
};

/** The cloud has lost a host of a session. What follows from that differs, and is said behind it. */
export const notListed = 'the cloud does not list it any more';
