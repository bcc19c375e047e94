/** The path of a package's entry: below the package's folder, and with a name that means the same on every system. */

export type EntryPath =
  | { readonly kind: 'path'; readonly segments: readonly string[] }
  | { readonly kind: 'refused'; readonly because: string };

const longestSegment = 255;
const longestPath = 1024;

const refused = (because: string): EntryPath => ({ kind: 'refused', because });

const whyUnclear = (name: string): string | undefined => {
  if (name === '') return 'has no name';
  if (Buffer.byteLength(name) > longestPath) return `has a name of more than ${longestPath} bytes`;
  if (/\p{Cc}/u.test(name)) return 'has a control character in its name';
  if (name.includes('\uFFFD')) return 'has a name that is not UTF-8';
  if (/[\u200B-\u200F\u202A-\u202E\u2066-\u2069]/u.test(name)) return 'has an invisible character in its name';
  if (name.includes('\\')) return 'has a backslash in its name';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'has an absolute path';
  return undefined;
};

const whySegmentUnfit = (segments: readonly string[]): string | undefined => {
  if (segments.includes('..')) return 'has .. in its path';
  if (segments.includes('')) return 'has an empty part in its path';
  if (segments.some((segment) => Buffer.byteLength(segment) > longestSegment)) {
    return `has a part of more than ${longestSegment} bytes in its path`;
  }
  return undefined;
};

/**
 * @param name the entry's name in the package; a folder's may end with a slash. No segments: the package's own folder.
 */
export const judgeEntryPath = (name: string, mostDepth: number): EntryPath => {
  const unclear = whyUnclear(name);
  if (unclear !== undefined) return refused(unclear);
  const segments = name
    .replace(/\/$/, '')
    .split('/')
    .filter((segment) => segment !== '.');
  const unfit = whySegmentUnfit(segments);
  if (unfit !== undefined) return refused(unfit);
  if (segments.length > mostDepth) return refused(`lies deeper than ${mostDepth} folders (PARLEY_UNPACKED_DEPTH)`);
  return { kind: 'path', segments };
};

/** Names with the same key would be one file on some systems, which do not distinguish case or composed letters. */
export const collisionKey = (path: string): string => path.normalize('NFC').toLowerCase();
