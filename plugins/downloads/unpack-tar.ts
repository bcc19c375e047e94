/** Reads tar archives, plain or with gzip. Accepts regular files and folders only. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { DownloadRefused } from './download-refused';
import { refuseEntry, type TreeWriter } from './tree-writer';
import type { PackageMeter } from './unpack-limits';

export interface Unpacking {
  /** The archive. */
  readonly file: string;
  readonly tree: TreeWriter;
  readonly meter: PackageMeter;
}

const blockBytes = 512;
/** An archive ends with empty blocks. An archive that was cut between two entries does not. */
const endMark = Buffer.alloc(blockBytes);

export const unpackTar = async ({ file, tree, meter }: Unpacking, isZipped: boolean): Promise<void> => {
  const entries = extract();
  const packed = createReadStream(file);
  const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let end = Buffer.alloc(0);
    for await (const piece of pieces) {
      // All bytes count, also those between and after the entries.
      meter.count(piece.length);
      end = Buffer.concat([end, piece.subarray(-blockBytes)]).subarray(-blockBytes);
      yield piece;
    }
    if (!end.equals(endMark)) throw new DownloadRefused('is not a complete tar archive: its end mark is missing');
  };
  const feeding = isZipped ? pipeline(packed, createGunzip(), counted, entries) : pipeline(packed, counted, entries);
  const reading = addEntries(entries, tree);
  // The first failure is the reason; the other pipeline fails because of it.
  await Promise.all([feeding, reading]).finally(() => Promise.allSettled([feeding, reading]));
};

interface TarEntry extends AsyncIterable<unknown> {
  readonly header: Header;
}

const addEntries = async (entries: AsyncIterable<TarEntry>, tree: TreeWriter): Promise<void> => {
  for await (const entry of entries) await addEntry(entry, tree);
};

const kinds: Readonly<Record<string, string>> = {
  link: 'a hard link',
  symlink: 'a symbolic link',
  'character-device': 'a device',
  'block-device': 'a device',
  fifo: 'a fifo',
};

const addEntry = async (entry: TarEntry, tree: TreeWriter): Promise<void> => {
  const { name, type, mode } = entry.header;
  if (isSparse(entry.header)) throw refuseEntry(name, 'is a sparse file');
  if (type === 'directory') return tree.addFolder(name);
  if (type === 'file') return tree.addFile({ name, isExecutable: (mode & 0o111) !== 0, content: bytesOf(entry) });
  throw refuseEntry(name, `is ${kinds[type] ?? 'of another kind'}; only regular files and folders are unpacked`);
};

async function* bytesOf(entry: TarEntry): AsyncGenerator<Buffer> {
  for await (const piece of entry) if (Buffer.isBuffer(piece)) yield piece;
}

const isSparse = ({ pax }: Header): boolean =>
  typeof pax === 'object' && pax !== null && Object.keys(pax).some((key) => key.startsWith('GNU.sparse.'));
