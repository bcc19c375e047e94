/** Chooses the micro-version of the compute API: the newest of ours that this Nova supports. */

interface Version {
  readonly major: number;
  readonly minor: number;
}

/** 2.53: services and hypervisors are named by UUID. */
const oldest: Version = { major: 2, minor: 53 };
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
 * @throws Error that names both sides' versions, when they have none in common
 */
export const negotiateVersion = (offered: { readonly oldest: string; readonly newest: string }): string => {
  const from = parseVersion(offered.oldest);
  const to = parseVersion(offered.newest);
  if (from === undefined || to === undefined || isOlder(to, oldest) || isOlder(newest, from)) {
    throw new Error(
      `this Nova offers the micro-versions ${offered.oldest || 'none'} to ${offered.newest || 'none'}; ` +
        `Parley needs one from ${textOf(oldest)} to ${textOf(newest)} (OpenStack Pike or later)`,
    );
  }
  return textOf(isOlder(to, newest) ? to : newest);
};
