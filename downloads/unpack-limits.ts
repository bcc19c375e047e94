/** How much the packages of a session may unpack to, by the settings of the same names. */
import { DownloadRefused } from './download-refused';

export interface UnpackLimits {
  /** Bytes over all packages of a session. */
  readonly unpackedBytes: number;
  /** Files and folders over all packages of a session. */
  readonly unpackedEntries: number;
  /** Folders below one another. */
  readonly unpackedDepth: number;
  /** Unpacked bytes for each byte of a package. */
  readonly unpackedRatio: number;
}

/** Small packages of text compress well without being bombs. */
const alwaysFineBytes = 1024 ** 2;

/** Counts what a package unpacks to. */
export interface PackageMeter {
  /** @throws DownloadRefused where these bytes are too many */
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
