/** Zip archives byte by byte, so that they can lie. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The bytes in the archive, when they differ from the content. */
  readonly packed?: Buffer;
  /** 0 stored, 8 deflated. */
  readonly method?: number;
  /** Mode of Unix with the kind of file, as `ls` knows it. */
  readonly mode?: number;
  readonly flags?: number;
  /** The unpacked size that the archive claims, when it differs from the content's length. */
  readonly size?: number;
  readonly crc?: number;
  /** Names and the like in the entry's own header, where they differ from the directory's. */
  readonly local?: {
    readonly name?: string;
    readonly method?: number;
    readonly flags?: number;
    readonly signature?: number;
  };
  readonly extra?: Buffer;
}

const utf8 = 0x800;

const fieldsOf = (entry: ZipEntry) => {
  const content = Buffer.from(entry.content ?? '');
  const { method = 8 } = entry;
  const packed = entry.packed ?? (method === 8 ? deflateRawSync(content) : content);
  return {
    name: Buffer.from(entry.name),
    method,
    packed,
    flags: entry.flags ?? utf8,
    crc: entry.crc ?? crc32(content),
    size: entry.size ?? content.length,
    extra: entry.extra ?? Buffer.alloc(0),
  };
};

const localOf = (entry: ZipEntry): Buffer => {
  const { name, method, packed, flags, crc, size, extra } = fieldsOf(entry);
  const ownName = entry.local?.name === undefined ? name : Buffer.from(entry.local.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(entry.local?.signature ?? 0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(entry.local?.flags ?? flags, 6);
  header.writeUInt16LE(entry.local?.method ?? method, 8);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(ownName.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, ownName, extra, packed]);
};

const centralOf = (entry: ZipEntry, offset: number): Buffer => {
  const { name, method, packed, flags, crc, size, extra } = fieldsOf(entry);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(0x0314, 4); // made on Unix
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(flags, 8);
  header.writeUInt16LE(method, 10);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packed.length, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name, extra]);
};

export interface ZipLies {
  /** Number of entries that the end of the archive tells. */
  readonly count?: number;
  readonly centralOffset?: number;
}

export const aZip = (entries: readonly ZipEntry[], lies: ZipLies = {}): Buffer => {
  const locals = entries.map(localOf);
  const offsets = locals.map((_, index) => locals.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const body = Buffer.concat(locals);
  const central = Buffer.concat(entries.map((entry, index) => centralOf(entry, offsets[index]!)));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(lies.count ?? entries.length, 8);
  end.writeUInt16LE(lies.count ?? entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(lies.centralOffset ?? body.length, 16);
  return Buffer.concat([body, central, end]);
};
