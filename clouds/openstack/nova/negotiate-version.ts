/** Chooses the micro-version of the compute API: the newest of ours that this Nova supports. */

export interface Version {
  readonly major: number;
  readonly minor: number;
}

/** 2.53: services and hypervisors are named by UUID. */
const oldest: Version = { major: 2, minor: 53 };
/** 2.100: servers tell the zone that they were created for (2.96), and the scheduler's hints. */
export const newestOfServers: Version = { major: 2, minor: 100 };
/** 2.87: the last version in which a hypervisor tells its size, for clouds whose placement the service may not read. */
const newest: Version = { major: 2, minor: 87 };

const parseVersion = (text: string): Version | undefined => {
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(text) ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
};

const textOf = ({ major, minor }: Version): string => `${major}.${minor}`;

const isOlder = (one: Version, other: Version): boolean =>
  one.major < other.major || (one.major === other.major && one.minor < other.minor);

/**
 * @param offered the oldest and newest micro-version of the service; empty when it has none
 * @param ours the newest one that the caller reads
 * @throws Error that names both sides' versions, when they have none in common
 */
export const negotiateVersion = (
  offered: { readonly oldest: string; readonly newest: string },
  ours: Version = newest,
): string => {
  const from = parseVersion(offered.oldest);
  const to = parseVersion(offered.newest);
  if (from === undefined || to === undefined || isOlder(to, oldest) || isOlder(newest, from)) {
    throw new Error(
      `this Nova offers the micro-versions ${offered.oldest || 'none'} to ${offered.newest || 'none'}; ` +
        `Parley needs one from ${textOf(oldest)} to ${textOf(newest)} (OpenStack Pike or later)`,
    );
  }
  return textOf(isOlder(to, ours) ? to : ours);
};

/** @param header OpenStack-API-Version of an answer, such as "compute 2.79"; without it nobody knows */
export const wasAnsweredBefore = (header: string | undefined, version: Version): boolean => {
  const answered = parseVersion(header?.split(' ').at(-1) ?? '');
  return answered !== undefined && isOlder(answered, version);
};

/** 1.36: candidates with their trees (1.29), and several aggregates of which a host must be in each (1.24). */
const newestOfPlacement: Version = { major: 1, minor: 36 };
const oldestOfPlacement: Version = { major: 1, minor: 10 };

/** @param offered the newest micro-version of placement */
export const placementVersion = (offered: string | undefined): string => {
  const to = parseVersion(offered ?? '') ?? oldestOfPlacement;
  return textOf(isOlder(to, newestOfPlacement) ? to : newestOfPlacement);
};
