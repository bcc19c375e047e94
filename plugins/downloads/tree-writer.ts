/**
 * Writes the entries of packages below a folder that nobody else uses. Every entry is new: it overwrites no file, makes
 * and follows no link, and reports a file that two packages bring as an error.
 */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DownloadRefused } from './download-refused';
import { collisionKey, judgeEntryPath } from './entry-path';
import type { UnpackLimits } from './unpack-limits';

export interface EntryFile {
  readonly name: string;
  readonly isExecutable: boolean;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface TreeWriter {
  /** @throws DownloadRefused naming the entry and its fault */
  addFolder(name: string): Promise<void>;
  /** @throws DownloadRefused likewise */
  addFile(file: EntryFile): Promise<void>;
}

interface KnownEntry {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The entries that exist already, over all packages of a session. */
export type KnownEntries = Map<string, KnownEntry>;

export interface TreeOptions {
  /** The folder, which exists. */
  readonly folder: string;
  readonly limits: UnpackLimits;
  readonly known: KnownEntries;
}

const longestShown = 120;

/** An entry's name for a message: on one line, and shortened. */
const shownEntry = (name: string): string => {
  const start = name.length > longestShown ? `${name.slice(0, longestShown)}…` : name;
  return JSON.stringify(start).replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
};

export const refuseEntry = (name: string, because: string): DownloadRefused =>
  new DownloadRefused(`its entry ${shownEntry(name)} ${because}`);

export const createTreeWriter = (tree: TreeOptions): TreeWriter => ({
  addFolder: (name) => makeFolders(tree, name, segmentsOf(tree, name)),
  async addFile({ name, isExecutable, content }) {
    const segments = segmentsOf(tree, name);
    if (segments.length === 0 || name.endsWith('/')) throw refuseEntry(name, 'is a file with the name of a folder');
    await makeFolders(tree, name, segments.slice(0, -1));
    const at = path.join(tree.folder, ...segments);
    const before = tree.known.get(collisionKey(at));
    if (before !== undefined) throw refuseEntry(name, whyTaken(before, at));
    note(tree, name, { path: at, isFolder: false });
    await pipeline(content, createWriteStream(at, { flags: 'wx', mode: isExecutable ? 0o700 : 0o600 }));
  },
});

const segmentsOf = ({ limits }: TreeOptions, name: string): readonly string[] => {
  const judged = judgeEntryPath(name, limits.unpackedDepth);
  if (judged.kind === 'refused') throw refuseEntry(name, judged.because);
  return judged.segments;
};

const makeFolders = async (tree: TreeOptions, name: string, segments: readonly string[]): Promise<void> => {
  let at = tree.folder;
  for (const segment of segments) {
    at = path.join(at, segment);
    await makeFolder(tree, name, at);
  }
};

/** Makes the folder when it does not exist. Refuses a file in its place, or another spelling of its name. */
const makeFolder = async (tree: TreeOptions, name: string, at: string): Promise<void> => {
  const before = tree.known.get(collisionKey(at));
  if (before === undefined) {
    note(tree, name, { path: at, isFolder: true });
    await mkdir(at, { mode: 0o700 });
    return;
  }
  if (!before.isFolder) throw refuseEntry(name, 'needs a folder where another entry is a file');
  if (before.path !== at) throw refuseEntry(name, spelledLike(before));
};

const note = ({ limits, known }: TreeOptions, name: string, entry: KnownEntry): void => {
  if (known.size >= limits.unpackedEntries) {
    throw refuseEntry(
      name,
      `exceeds the limit of ${limits.unpackedEntries} files and folders (PARLEY_UNPACKED_ENTRIES)`,
    );
  }
  known.set(collisionKey(entry.path), entry);
};

const spelledLike = ({ path: other }: KnownEntry): string =>
  `differs from ${shownEntry(path.basename(other))} in the spelling of letters only`;

const whyTaken = (before: KnownEntry, at: string): string => {
  if (before.isFolder) return 'is a file where another entry needs a folder';
  if (before.path !== at) return spelledLike(before);
  return 'exists already: the packages of a session must not contain a file twice';
};
