/** Reads zip archives. Accepts regular files and folders only, and only when both directories of the archive agree. */
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { DownloadRefused } from './download-refused';
import { refuseEntry, type TreeWriter } from './tree-writer';
import type { PackageMeter } from './unpack-limits';
import type { Unpacking } from './unpack-tar';

export const unpackZip = async ({ file, tree, meter }: Unpacking, mostEntries: number): Promise<void> => {
  const zip = await openPromise(file, { autoClose: false, strictFileNames: true, validateEntrySizes: true });
  try {
    if (zip.entryCount > mostEntries) {
      throw new DownloadRefused(`holds ${zip.entryCount} entries, more than ${mostEntries} (PARLEY_UNPACKED_ENTRIES)`);
    }
    for await (const entry of zip.eachEntry()) await addEntry({ zip, entry, meter }, tree);
  } finally {
    zip.close();
  }
};

interface ZipEntry {
  readonly zip: ZipFile;
  readonly entry: Entry;
  readonly meter: PackageMeter;
}

/** The upper half of the external attributes: the mode of Unix, with the type of the file. */
const modeOf = ({ externalFileAttributes }: Entry): number => externalFileAttributes >>> 16;
const kindMask = 0o170000;
const regularFile = 0o100000;
const folder = 0o040000;

const addEntry = async ({ zip, entry, meter }: ZipEntry, tree: TreeWriter): Promise<void> => {
  const { fileName: name } = entry;
  const isFolder = name.endsWith('/');
  const because = (await whyMismatched(zip, entry)) ?? whyUnfit(entry, isFolder);
  if (because !== undefined) throw refuseEntry(name, because);
  if (isFolder) return tree.addFolder(name);
  await tree.addFile({ name, isExecutable: (modeOf(entry) & 0o111) !== 0, content: contentOf({ zip, entry, meter }) });
};

const whyUnfit = (entry: Entry, isFolder: boolean): string | undefined => {
  const kind = modeOf(entry) & kindMask;
  const fitting = isFolder ? folder : regularFile;
  if (entry.isEncrypted()) return 'is encrypted';
  if (!entry.canDecodeFileData()) return `is packed by method ${entry.compressionMethod}, which is not supported`;
  if (kind !== 0 && kind !== fitting) return 'is neither a regular file nor a folder';
  if (isFolder && entry.uncompressedSize > 0) return 'is a folder with content';
  return undefined;
};

/** A zip has two lists of its contents. Programs that read the other list would unpack something else. */
const whyMismatched = async (zip: ZipFile, entry: Entry): Promise<string | undefined> => {
  const local = await zip.readLocalFileHeaderPromise(entry);
  if (!local.fileName.equals(entry.fileNameRaw)) return 'has another name in its own header';
  if (local.compressionMethod !== entry.compressionMethod) return 'has another packing method in its own header';
  if ((local.generalPurposeBitFlag & 1) !== (entry.generalPurposeBitFlag & 1)) return 'is encrypted in one header only';
  return undefined;
};

async function* contentOf({ zip, entry, meter }: ZipEntry): AsyncGenerator<Buffer> {
  let checksum = 0;
  const content: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
  for await (const piece of content) {
    meter.count(piece.length);
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (checksum !== entry.crc32) throw refuseEntry(entry.fileName, 'is damaged: its checksum differs');
}
