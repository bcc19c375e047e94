/** Archives that mean harm, or lie: each is refused with its reason, and nothing of it is outside its folder. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ArchiveKind } from '../../../../plugins/downloads/package-url';
import { createUnpack } from '../../../../plugins/downloads/unpack';
import type { UnpackLimits } from '../../../../plugins/downloads/unpack-limits';
import { aTar, gnuLongName, paxHeader, tarEnd, type TarEntry } from '../../../builders/a-tar';
import { aZip, type ZipEntry } from '../../../builders/a-zip';

const limits: UnpackLimits = {
  unpackedBytes: 8 * 1024 ** 2,
  unpackedEntries: 50,
  unpackedDepth: 5,
  unpackedRatio: 20,
};

interface Archive {
  readonly situation: string;
  readonly kind: ArchiveKind;
  readonly bytes: Buffer;
  readonly because: RegExp;
}

const tar = (situation: string, entries: readonly TarEntry[], because: RegExp): Archive => ({
  situation: `tar: ${situation}`,
  kind: 'tar',
  bytes: aTar(...entries),
  because,
});

const zip = (situation: string, entries: readonly ZipEntry[], because: RegExp): Archive => ({
  situation: `zip: ${situation}`,
  kind: 'zip',
  bytes: aZip(entries),
  because,
});

const raw =
  (kind: ArchiveKind) =>
  (situation: string, bytes: Buffer, because: RegExp): Archive => ({
    situation: `${kind}: ${situation}`,
    kind,
    bytes,
    because,
  });

const file = (name: string, content = 'x') => ({ name, content });
const deep = (depth: number) => `${Array.from({ length: depth }, (_, index) => `d${index}`).join('/')}/file`;
const many = Array.from({ length: 60 }, (_, index) => file(`file-${index}`));
const zeros = Buffer.alloc(4 * 1024 ** 2);
const fine = aTar(file('fine'));
const fineZip = aZip([file('fine')]);
const zip64Size = Buffer.concat([Buffer.from([1, 0, 8, 0]), Buffer.from('ffffffffffff1f00', 'hex')]);

const archives: readonly Archive[] = [
  tar('a parent path', [file('../evil')], /"\.\.\/evil" has \.\. in its path/),
  tar('a parent path further down', [file('a/b/../../../evil')], /has \.\. in its path/),
  tar('a parent path that stays inside', [file('a/../evil')], /has \.\. in its path/),
  tar('nothing but ..', [{ name: '..', type: '5' }], /has \.\. in its path/),
  tar('an absolute path', [file('/etc/evil')], /has an absolute path/),
  tar('an absolute folder', [{ name: '/tmp/evil/', type: '5' }], /has an absolute path/),
  tar('a drive letter', [file('C:evil')], /has an absolute path/),
  tar('backslashes', [file('..\\evil')], /has a backslash/),
  tar('an empty part', [file('a//evil')], /has an empty part/),
  tar('a symbolic link', [{ name: 'evil', type: '2', linkname: '/etc/passwd' }], /is a symbolic link/),
  tar(
    'a symbolic link, then a file through it',
    [{ name: 'way', type: '2', linkname: '..' }, file('way/evil')],
    /is a symbolic link/,
  ),
  tar('a hard link', [file('one'), { name: 'evil', type: '1', linkname: 'one' }], /is a hard link/),
  tar('a hard link out', [{ name: 'evil', type: '1', linkname: '/etc/passwd' }], /is a hard link/),
  tar('a character device', [{ name: 'evil', type: '3' }], /is a device/),
  tar('a block device', [{ name: 'evil', type: '4' }], /is a device/),
  tar('a fifo', [{ name: 'evil', type: '6' }], /is a fifo/),
  tar('a contiguous file', [{ name: 'evil', type: '7' }], /is of another kind/),
  tar('a sparse file of GNU tar', [{ name: 'evil', type: 'S' }], /is of another kind/),
  tar(
    'a sparse file by pax',
    [paxHeader({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0' }), file('evil')],
    /sparse/,
  ),
  tar('a file twice', [file('one'), file('one')], /"one" exists already/),
  tar('a file twice in two spellings', [file('one'), file('./one')], /exists already/),
  tar('names that differ in case only', [file('Run.sh'), file('run.sh')], /in the spelling of letters only/),
  tar('folders that differ in case only', [file('Lib/a'), file('lib/b')], /in the spelling of letters only/),
  tar(
    'names that differ in composed letters only',
    [file('\u00e9'), file('e\u0301')],
    /in the spelling of letters only/,
  ),
  tar('a file where a folder is', [file('a/b'), file('a')], /is a file where another entry needs a folder/),
  tar('a folder where a file is', [file('a'), file('a/b')], /needs a folder where another entry is a file/),
  tar('a file named as a folder', [{ name: 'a/', type: '0', content: 'x' }], /with the name of a folder/),
  tar('a control character in a name', [file('a\u0007b')], /has a control character/),
  tar('a line end in a name', [file('a\nb')], /has a control character/),
  tar('a name that is not UTF-8', [{ name: Buffer.from([0x61, 0xff, 0xfe]), content: 'x' }], /is not UTF-8/),
  tar(
    'letters that turn the direction of reading',
    [file('a\u202Etxt.sh')],
    /"a\\u202etxt.sh" has an invisible character/,
  ),
  tar('a name of GNU tar that hides ..', [gnuLongName('../../evil'), file('harmless')], /has \.\. in its path/),
  tar('a name by pax that hides ..', [paxHeader({ path: '../../evil' }), file('harmless')], /has \.\. in its path/),
  tar(
    'a name for all by pax that hides ..',
    [paxHeader({ path: '/evil' }, 'g'), paxHeader({ comment: 'x' }), file('harmless')],
    /has an absolute path/,
  ),
  tar('a NUL in a name by pax', [paxHeader({ path: 'harmless\0/../../evil' }), file('harmless')], /control character/),
  tar('a size by pax that is not its own', [paxHeader({ size: '99999999' }), file('evil')], /Unexpected end of data/),
  tar('a negative size by pax', [paxHeader({ size: '-1' }), file('evil')], /Invalid header/),
  tar('a name of 300 bytes', [gnuLongName('n'.repeat(300)), file('x')], /a part of more than 255 bytes/),
  tar('a path of 5,000 bytes', [gnuLongName('n/'.repeat(2500) + 'x'), file('x')], /more than 1024 bytes/),
  tar('a header of 5 MiB', [gnuLongName('n'.repeat(5 * 1024 ** 2)), file('x')], /Header exceeds max size/),
  tar('folders too deep', [file(deep(6))], /lies deeper than 5 folders/),
  tar('too many files', many, /exceeds the limit of 50 files and folders/),
  tar(
    'too many folders',
    [...Array.from({ length: 20 }, (_, index) => file(`${index}/a/b/c`))],
    /exceeds the limit of 50/,
  ),
  tar(
    'too many bytes',
    [1, 2, 3].map((n) => ({ name: `z${n}`, content: zeros })),
    /unpacks to more than 8388608 bytes/,
  ),
  tar('a wrong checksum', [{ ...file('evil'), checksum: 1 }], /Invalid tar header/),
  tar('a file larger than the archive', [{ ...file('evil'), size: 1024 ** 3 }], /Unexpected end of data/),
  tar('no name', [file('')], /has no name/),
  raw('tar')('cut off in a file', aTar({ name: 'a', content: zeros }).subarray(0, 100_000), /Unexpected end of data/),
  raw('tar')('cut off between two entries', aTar(file('a'), file('b')).subarray(0, 1024), /its end mark is missing/),
  raw('tar')(
    'more behind its end',
    Buffer.concat([fine, Buffer.alloc(512, 'x')]),
    /its end mark is missing|Invalid tar header/,
  ),
  raw('tar')('cut off in a header', fine.subarray(0, 100), /its end mark is missing/),
  raw('tar')('a zip by another name', fineZip, /its end mark is missing/),
  raw('tar')('a page of a server', Buffer.from('<html>not found</html>'.repeat(100)), /Invalid tar header/),
  raw('tar.gz')('not packed at all', fine, /incorrect header check/),
  raw('tar.gz')('cut off', gzipSync(fine).subarray(0, 40), /unexpected end of file/),
  raw('tar.gz')(
    'damaged',
    Buffer.from(gzipSync(fine).map((byte, index) => (index === 30 ? byte ^ 255 : byte))),
    /not a valid/,
  ),
  raw('tar.gz')('a bomb in a file', gzipSync(aTar({ name: 'bomb', content: zeros })), /more than 20 times/),
  raw('tar.gz')('a bomb behind the end', gzipSync(Buffer.concat([fine, tarEnd, zeros])), /more than 20 times/),
  raw('tar.gz')('a gzip in a gzip', gzipSync(gzipSync(fine)), /its end mark is missing/),
  raw('tar.gz')('empty', Buffer.alloc(0), /unexpected end of file/),
  zip('a parent path', [file('../evil')], /invalid relative path/),
  zip('an absolute path', [file('/etc/evil')], /absolute path/),
  zip('backslashes', [file('..\\evil')], /invalid characters in fileName/),
  zip('a drive letter', [file('C:/evil')], /absolute path/),
  zip('a symbolic link', [{ ...file('evil', '/etc/passwd'), mode: 0o120777 }], /neither a regular file nor a folder/),
  zip('a fifo', [{ ...file('evil'), mode: 0o010644 }], /neither a regular file nor a folder/),
  zip('a device', [{ ...file('evil'), mode: 0o060644 }], /neither a regular file nor a folder/),
  zip('a socket', [{ ...file('evil'), mode: 0o140644 }], /neither a regular file nor a folder/),
  zip('a folder that is a file', [{ ...file('evil/'), mode: 0o100644 }], /neither a regular file nor a folder/),
  zip('a folder with content', [{ ...file('evil/'), mode: 0 }], /is a folder with content/),
  zip('a file twice', [file('one'), file('one')], /exists already/),
  zip('names that differ in case only', [file('Run'), file('run')], /in the spelling of letters only/),
  zip('a NUL in a name', [file('a\0b')], /has a control character/),
  zip(
    'another name in its own header',
    [{ ...file('fine'), local: { name: 'evil' } }],
    /another name in its own header/,
  ),
  zip('another method in its own header', [{ ...file('fine'), local: { method: 0 } }], /another packing method/),
  zip('encrypted in its own header only', [{ ...file('fine'), local: { flags: 0x801 } }], /encrypted in one header/),
  zip('no header of its own', [{ ...file('fine'), local: { signature: 0 } }], /invalid local file header/),
  zip('encrypted', [{ ...file('evil'), flags: 0x801 }], /is encrypted/),
  zip('strongly encrypted', [{ ...file('evil'), flags: 0x841 }], /strong encryption/),
  zip('an unknown method', [{ ...file('evil'), method: 99 }], /method 99/),
  zip('a size that is too small', [{ name: 'evil', content: 'xxxxxxxxxxxx', size: 3 }], /too many bytes/),
  zip('a size that is too large', [{ name: 'evil', content: 'x', size: 30 }], /not enough bytes/),
  zip('a size by zip64 beyond all', [{ ...file('evil'), size: 0xffffffff, extra: zip64Size }], /not enough bytes/),
  zip('a size that asks for zip64 and has none', [{ ...file('evil'), size: 0xffffffff }], /not enough bytes/),
  zip('a wrong checksum', [{ ...file('evil'), crc: 1 }], /its checksum differs/),
  zip('stored sizes that contradict', [{ ...file('evil', 'xxx'), method: 0, size: 2 }], /size mismatch/),
  zip('too deep', [file(deep(6))], /lies deeper than 5 folders/),
  zip('too many files', many, /holds 60 entries, more than 50/),
  zip('a bomb', [{ name: 'bomb', content: zeros }], /more than 20 times/),
  raw('zip')('a number of entries that is too large', aZip([file('a')], { count: 40 }), /unexpected EOF/),
  raw('zip')('a directory that lies elsewhere', aZip([file('a')], { centralOffset: 9_999 }), /not a valid zip archive/),
  raw('zip')('cut off', fineZip.subarray(0, fineZip.length - 10), /end of central directory/i),
  raw('zip')('a tar by another name', fine, /end of central directory/i),
  raw('zip')('empty', Buffer.alloc(0), /not a valid zip archive/),
];

let base: string;
let count = 0;
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'parley-archives-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** An own world for each: the archive, the folder for it, and a neighbour. */
const aWorld = async (bytes: Buffer) => {
  const world = path.join(base, String((count += 1)));
  const folder = path.join(world, 'session', 'actions');
  await mkdir(folder, { recursive: true });
  const archive = path.join(world, 'archive');
  await writeFile(archive, bytes);
  return { world, folder, archive };
};

const outside = async (world: string): Promise<string[]> => {
  const entries = await readdir(world, { recursive: true });
  return entries.filter((entry) => !entry.startsWith('session/actions/')).sort();
};

it.each(archives)('refuses $situation', async ({ kind, bytes, because }) => {
  const { world, folder, archive } = await aWorld(bytes);
  const unpacked = createUnpack(limits)({ file: archive, fileName: `actions.${kind}`, kind, folder });
  await expect(unpacked).rejects.toThrow(because);
  await expect(unpacked).rejects.toMatchObject({ name: 'DownloadRefused' });
  await expect(unpacked).rejects.toThrow(`package actions.${kind}: `);
  expect(await outside(world)).toEqual(['archive', 'session', 'session/actions']);
  const links = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => !entry.isFile() && !entry.isDirectory(),
  );
  expect(links).toEqual([]);
});

it('there are at least 40 of them', () => {
  expect(archives.length).toBeGreaterThanOrEqual(40);
});
