/** Unpacks the packages of one session below its folder. */
import { stat } from 'node:fs/promises';
import { errorMessage, isSystemError } from '../addresses/error-facts';
import { DownloadRefused } from './download-refused';
import type { ArchiveKind } from './package-url';
import { createTreeWriter, type KnownEntries } from './tree-writer';
import { createByteBudget, type UnpackLimits } from './unpack-limits';
import { unpackTar } from './unpack-tar';
import { unpackZip } from './unpack-zip';

export interface UnpackRequest {
  /** The archive, and its name in messages. */
  readonly file: string;
  readonly fileName: string;
  readonly kind: ArchiveKind;
  /** The folder, which exists and belongs to nobody else. */
  readonly folder: string;
}

/** @throws DownloadRefused naming the package, the entry and its fault */
export type Unpack = (request: UnpackRequest) => Promise<void>;

/** The limits hold over all packages that the same function unpacks. */
export const createUnpack = (limits: UnpackLimits): Unpack => {
  const budget = createByteBudget(limits);
  const known: KnownEntries = new Map();
  return async ({ file, fileName, kind, folder }) => {
    const meter = budget.meterFor((await stat(file)).size);
    const unpacking = { file, meter, tree: createTreeWriter({ folder, limits, known }) };
    try {
      if (kind === 'zip') await unpackZip(unpacking, limits.unpackedEntries);
      else await unpackTar(unpacking, kind === 'tar.gz');
    } catch (error) {
      throw explained(error, fileName, kind);
    }
  };
};

const explained = (error: unknown, fileName: string, kind: ArchiveKind): unknown => {
  // A full disk is not the package's fault.
  if (isSystemError(error)) return error;
  const what = errorMessage(error);
  const because = error instanceof DownloadRefused ? what : `is not a valid ${kind} archive: ${what}`;
  return new DownloadRefused(`package ${fileName}: ${because}`, { cause: error });
};
