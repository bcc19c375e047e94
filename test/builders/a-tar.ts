/** Tar archives byte by byte, so that they can lie. */

export interface TarEntry {
  readonly name: string | Buffer;
  /** The type, one character: '0' is a file, '5' a folder. */
  readonly type?: string;
  readonly content?: string | Buffer;
  readonly mode?: number;
  readonly linkname?: string;
  /** The size in the header, when it differs from the content's length. */
  readonly size?: number;
  readonly checksum?: number;
  /** 'ustar' with its version; other text is another format. */
  readonly magic?: string;
}

const block = 512;

const padded = (content: Buffer): Buffer =>
  Buffer.concat([content, Buffer.alloc((block - (content.length % block)) % block)]);

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

const headerOf = ({
  name,
  type = '0',
  mode = 0o644,
  linkname = '',
  magic = 'ustar\x0000',
  ...entry
}: TarEntry): Buffer => {
  const header = Buffer.alloc(block);
  const content = Buffer.from(entry.content ?? '');
  Buffer.from(name).copy(header, 0, 0, 100);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(entry.size ?? content.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(linkname, 157, 100);
  header.write(magic, 257, 'latin1');
  const sum = entry.checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

const bytesOf = (entry: TarEntry): Buffer => Buffer.concat([headerOf(entry), padded(Buffer.from(entry.content ?? ''))]);

export const tarEnd = Buffer.alloc(2 * block);

export const aTar = (...entries: readonly TarEntry[]): Buffer => Buffer.concat([...entries.map(bytesOf), tarEnd]);

/** `length key=value\n`, where the length counts itself. */
const paxRecord = (key: string, value: string): string => {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const digits = String(bytes + String(bytes).length).length;
  return `${bytes + digits}${rest}`;
};

/** An extended header for the entry after it, or with type 'g' for all entries after it. */
export const paxHeader = (fields: Readonly<Record<string, string>>, type = 'x'): TarEntry => ({
  name: 'PaxHeader',
  type,
  content: Object.entries(fields)
    .map(([key, value]) => paxRecord(key, value))
    .join(''),
});

/** The name of the entry after it, as GNU tar writes long ones. */
export const gnuLongName = (name: string): TarEntry => ({ name: '././@LongLink', type: 'L', content: `${name}\0` });
