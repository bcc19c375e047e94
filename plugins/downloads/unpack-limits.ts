/** Limits for the unpacked packages of a session. The settings have the same names. */
import { DownloadRefused } from './download-refused';

export interface UnpackLimits {
  /** The maximum number of bytes over all packages of a session. */
  readonly unpackedBytes: number;
  /** The maximum number of files and folders over all packages of a session. */
  readonly unpackedEntries: number;
  /** The maximum depth of folders. */
  readonly unpackedDepth: number;
  /** The maximum number of unpacked bytes for each byte of a package. */
  readonly unpackedRatio: number;
}

/** A small package of text compresses well without being a bomb. */
const alwaysFineBytes = 1024 ** 2;

/** Counts the unpacked bytes of a package. */
export interface PackageMeter {
  /** @throws DownloadRefused when these bytes exceed a limit */
  count(bytes: number): void;
}

export interface ByteBudget {
  readonly meterFor: (packedBytes: number) => PackageMeter;
}

/** The bytes of a session's packages, counted together. */
export const createByteBudget = ({ unpackedBytes, unpackedRatio }: UnpackLimits): ByteBudget => {
  let total = 0;
  const meterFor = (packedBytes: number): PackageMeter => {
    const mostOfThis = Math.max(alwaysFineBytes, packedBytes * unpackedRatio);
    let ofThis = 0;
    return {
      count(bytes) {
        total += bytes;
        ofThis += bytes;
        if (total > unpackedBytes) {
          throw new DownloadRefused(`unpacks to more than ${unpackedBytes} bytes (PARLEY_UNPACKED_BYTES)`);
        }
        if (ofThis > mostOfThis) {
          const because = `unpacks to more than ${unpackedRatio} times its ${packedBytes} bytes`;
          throw new DownloadRefused(`${because} (PARLEY_UNPACKED_RATIO)`);
        }
      },
    };
  };
  return { meterFor };
};
