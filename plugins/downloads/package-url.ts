/** One element of a create request's `download`: its URL, the place of its file, and the expected digest. */
import type { UrlPolicy } from '../addresses/url-policy';

/** Folders that packages are extracted into (specification, Download rules). */
export type PackageFolder = 'workflow' | 'actions';
export type ArchiveKind = 'tar' | 'tar.gz' | 'zip';

export interface PackageUrl {
  /** The URL without its fragment. */
  readonly url: string;
  readonly fileName: string;
  /** Set for a package that is extracted. Any other file is stored unchanged. */
  readonly extract?: { readonly into: PackageFolder; readonly kind: ArchiveKind };
  /** The digest that the file must have, in hex digits, from `#sha256=`. */
  readonly sha256?: string;
}

export type PackageUrlParse =
  { readonly kind: 'package'; readonly found: PackageUrl } | { readonly kind: 'refused'; readonly because: string };

const longestFileName = 200;

const refused = (because: string): PackageUrlParse => ({ kind: 'refused', because });

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const fileNameOf = (url: URL): string | undefined => {
  const name = decoded(url.pathname.split('/').at(-1) ?? '');
  // Refuses names that a shell, a person or another file system would read differently.
  const isPlain = name !== undefined && /^[\p{L}\p{N}_][\p{L}\p{N} ._+~@=,()-]*$/u.test(name);
  return isPlain && Buffer.byteLength(name) <= longestFileName ? name : undefined;
};

/** A name that contains both words belongs to a workflow. */
const folderOf = (fileName: string): PackageFolder | undefined =>
  (['workflow', 'actions'] as const).find((word) => fileName.includes(word));

const kindsByEnding: readonly (readonly [string, ArchiveKind])[] = [
  ['.tar.gz', 'tar.gz'],
  ['.tgz', 'tar.gz'],
  ['.tar', 'tar'],
  ['.zip', 'zip'],
];

const kindOf = (fileName: string): ArchiveKind | undefined =>
  kindsByEnding.find(([ending]) => fileName.toLowerCase().endsWith(ending))?.[1];

/** Undefined when the fragment is something else. */
const digestIn = ({ hash }: URL): { sha256?: string } | undefined => {
  if (hash === '') return {};
  const [, sha256] = /^#sha256=([0-9a-f]{64})$/i.exec(hash) ?? [];
  return sha256 === undefined ? undefined : { sha256: sha256.toLowerCase() };
};

export const parsePackageUrl = (text: string, policy: UrlPolicy): PackageUrlParse => {
  const judgement = policy(text);
  if (judgement.kind === 'refused') return judgement;
  const digest = digestIn(judgement.url);
  if (digest === undefined) return refused('has a fragment other than #sha256= with 64 hex digits');
  const fileName = fileNameOf(judgement.url);
  if (fileName === undefined) return refused(`must end with a plain file name of at most ${longestFileName} bytes`);
  const found = { url: judgement.url.href.replace(/#.*$/, ''), fileName, ...digest };
  const into = folderOf(fileName);
  if (into === undefined) return { kind: 'package', found };
  const kind = kindOf(fileName);
  if (kind === undefined) return refused(`names a package for ${into}/, which must be a .tar, .tar.gz, .tgz or .zip`);
  return { kind: 'package', found: { ...found, extract: { into, kind } } };
};
