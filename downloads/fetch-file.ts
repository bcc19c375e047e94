/** Fetches one file to disk as a stream: bounded, measured, with its digest. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { DownloadRefused } from './download-refused';
import { openResponse, type Source, transferError } from './open-response';
import { shownUrl } from './package-url';

export interface FetchProgress {
  readonly bytes: number;
  /** Of the whole file, where the server tells. */
  readonly sizeBytes?: number;
}

export interface FetchRequest {
  readonly url: string;
  /** Must not exist yet. */
  readonly toFile: string;
  readonly mostBytes: number;
  /** Told at every piece that arrives. */
  readonly onProgress: (progress: FetchProgress) => void;
  readonly signal: AbortSignal;
}

export interface FetchedFile {
  readonly bytes: number;
  /** Hex digits. */
  readonly sha256: string;
}

/** @throws DownloadRefused, or SourceAway where trying again may help */
export const fetchFile = async (source: Source, request: FetchRequest): Promise<FetchedFile> => {
  const response = await openResponse(source, request.url, request.signal);
  const digest = createHash('sha256');
  let bytes = 0;
  const measured = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of piecesOf(response, request)) {
      bytes += piece.length;
      digest.update(piece);
      yield piece;
    }
  };
  await pipeline(measured, createWriteStream(request.toFile, { flags: 'wx', mode: 0o600 }));
  return { bytes, sha256: digest.digest('hex') };
};

/** The body within its bound; what breaks it is told as a fault of the source. */
async function* piecesOf(response: IncomingMessage, request: FetchRequest): AsyncGenerator<Buffer> {
  const { url, mostBytes, onProgress, signal } = request;
  const sizeBytes = sizeOf(response);
  try {
    if ((sizeBytes ?? 0) > mostBytes) throw tooLarge(request);
    let bytes = 0;
    for await (const piece of buffersOf(response)) {
      bytes += piece.length;
      if (bytes > mostBytes) throw tooLarge(request);
      onProgress({ bytes, ...(sizeBytes !== undefined && { sizeBytes }) });
      yield piece;
    }
  } catch (error) {
    throw transferError(url, error, signal);
  } finally {
    response.destroy();
  }
}

const tooLarge = ({ url, mostBytes }: FetchRequest) =>
  new DownloadRefused(`${shownUrl(url)} has more bytes than the ${mostBytes} that PARLEY_DOWNLOAD_BYTES leaves for it`);

const buffersOf = (response: IncomingMessage): AsyncIterable<Buffer> => response;

const sizeOf = ({ headers }: IncomingMessage): number | undefined => {
  const size = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(size) ? size : undefined;
};
