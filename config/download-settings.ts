/** The settings of downloads and packages; rows of the table in settings-table.ts. */
import { optional, withDefault } from './define-setting';
import * as parse from './setting-parsers';

export const downloadSettings = {
  downloadAllow: optional('PARLEY_DOWNLOAD_ALLOW', 'none: `download` is answered 400', {
    meaning:
      'Addresses that packages may come from, separated by commas: `https://packages.example.org/parley/` allows every address under it; a host name may begin with `*.`.',
    parse: parse.allowedSources,
  }),
  downloadDir: withDefault('PARLEY_DOWNLOAD_DIR', '/tmp', {
    meaning: 'Folder for the files of sessions. Each session has a folder of its own in it. Machines do not share it.',
    parse: parse.filePath,
  }),
  downloadBytes: withDefault('PARLEY_DOWNLOAD_BYTES', '1 GiB', {
    meaning: 'Bytes that the files of a session may have together.',
    parse: parse.byteCount,
  }),
  downloadSeconds: withDefault('PARLEY_DOWNLOAD_SECONDS', '3600', {
    meaning: 'Seconds that the downloads of a session may take, with the time in which a server does not answer.',
    parse: parse.integer({ min: 1, max: 604_800 }),
  }),
  unpackedBytes: withDefault('PARLEY_UNPACKED_BYTES', '4 GiB', {
    meaning: 'Bytes that the packages of a session may unpack to.',
    parse: parse.byteCount,
  }),
  unpackedEntries: withDefault('PARLEY_UNPACKED_ENTRIES', '20000', {
    meaning: 'Files and folders that the packages of a session may hold.',
    parse: parse.integer({ min: 1, max: 1_000_000 }),
  }),
  unpackedDepth: withDefault('PARLEY_UNPACKED_DEPTH', '20', {
    meaning: 'Largest depth of the folders in a package.',
    parse: parse.integer({ min: 1, max: 100 }),
  }),
  unpackedRatio: withDefault('PARLEY_UNPACKED_RATIO', '100', {
    meaning: 'Bytes that a package may unpack to for each byte of the package; 1 MiB is always allowed.',
    parse: parse.positiveNumber,
  }),
} as const;
