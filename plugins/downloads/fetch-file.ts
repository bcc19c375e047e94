/** Fetches one file to disk as a stream, within a size limit, and computes its digest. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { shownUrl } from '../addresses/shown-url';
import { DownloadRefused, SourceAway } from './download-refused';
import { type OpenResponse, openResponse, type Source, transferError } from './open-response';

export interface FetchProgress {
  readonly bytes: number;
  /** The size of the whole file, when the server tells it. */
  readonly sizeBytes?: number;
}

export interface FetchRequest {
  readonly url: string;
  /** The path of the new file, which must not exist yet. */
  readonly toFile: string;
  readonly mostBytes: number;
  /** The expected digest in hex digits, when it is known. */
  readonly sha256?: string | undefined;
  /** Called for every piece that arrives. */
  readonly onProgress: (progress: FetchProgress) => void;
  readonly signal: AbortSignal;
}

export interface FetchedFile {
  readonly bytes: number;
  /** Digest in hex digits. */
  readonly sha256: string;
}

/** @throws DownloadRefused, or SourceAway when another attempt may help */
export const fetchFile = async (source: Source, request: FetchRequest): Promise<FetchedFile> => {
  const response = await openResponse(source, request.url, request.signal);
  const digest = createHash('sha256');
  let bytes = 0;
  const measured = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of piecesOf(response, { ...request, source })) {
      bytes += piece.length;
      digest.update(piece);
      yield piece;
    }
  };
  await pipeline(measured, createWriteStream(request.toFile, { flags: 'wx', mode: 0o600 }));
  const fetched = { bytes, sha256: digest.digest('hex') };
  assertWhole(response, request, fetched);
  return fetched;
};

/**
 * A body ends by its length or by its last chunk. Without these it ends with the connection, for whatever reason that
 * closed.
 */
const hasOwnEnd = ({ headers }: OpenResponse): boolean =>
  headers['transfer-encoding'] === undefined
    ? headers['content-length'] !== undefined
    : /(^|,)\s*chunked\s*$/i.test(headers['transfer-encoding']);

const assertWhole = (response: OpenResponse, { url, sha256 }: FetchRequest, fetched: FetchedFile): void => {
  if (hasOwnEnd(response) || sha256 === fetched.sha256) return;
  const ends = `${shownUrl(url)} ends after ${fetched.bytes} bytes, because its server closed the connection`;
  if (sha256 !== undefined) throw new SourceAway(`${ends}, and has the SHA-256 ${fetched.sha256}, not ${sha256}`);
  const help = 'have its server send a Content-Length, or give the URL its #sha256=';
  throw new DownloadRefused(`${ends}, and nothing shows whether it is complete; ${help}`);
};

interface FetchOf extends FetchRequest {
  readonly source: Source;
}

/** The body within its size limit. An error while reading it is reported as a fault of the source. */
async function* piecesOf(response: OpenResponse, request: FetchOf): AsyncGenerator<Buffer> {
  const { source, url, mostBytes, onProgress, signal } = request;
  const sizeBytes = sizeOf(response);
  try {
    if ((sizeBytes ?? 0) > mostBytes) throw tooLarge(request);
    let bytes = 0;
    for await (const piece of buffersOf(response.body)) {
      bytes += piece.length;
      if (bytes > mostBytes) throw tooLarge(request);
      onProgress({ bytes, ...(sizeBytes !== undefined && { sizeBytes }) });
      yield piece;
    }
    // An abort ends the connection, after which a body without length or chunks looks complete.
    signal.throwIfAborted();
  } catch (error) {
    throw transferError(url, error, { source, signal });
  } finally {
    response.body.destroy();
  }
}

const tooLarge = ({ url, mostBytes }: FetchRequest) =>
  new DownloadRefused(`${shownUrl(url)} has more bytes than the ${mostBytes} that PARLEY_DOWNLOAD_BYTES leaves for it`);

const buffersOf = (body: Readable): AsyncIterable<Buffer> => body;

const sizeOf = ({ headers }: OpenResponse): number | undefined => {
  const size = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(size) ? size : undefined;
};
