/**
 * A process of its own that downloads a package and prints how much its memory grew at the most. Arguments: the address
 * of a server, a folder, a path to fetch beforehand, and the path to measure.
 */
import { parseAllowedSource } from '../../../plugins/addresses/allowed-source';
import { resolveHost } from '../../../plugins/addresses/resolve-host';
import { createDownloads } from '../../../plugins/downloads/downloads';
import { createPackagePolicy } from '../../../plugins/downloads/package-sources';

const [url = '', root = '', warmUp = '', measured = ''] = process.argv.slice(2);
const mebibyte = 1024 ** 2;

const downloads = createDownloads({
  root,
  policy: createPackagePolicy([parseAllowedSource(url)!]),
  resolveHost,
  proxies: {},
  proxyResolves: false,
  limits: {
    downloadBytes: 200 * mebibyte,
    downloadSeconds: 300,
    unpackedBytes: 300 * mebibyte,
    unpackedEntries: 20_000,
    unpackedDepth: 20,
    // Bombs are to be stopped by their bytes here, as late as can be.
    unpackedRatio: 1e9,
  },
});

const attempt = async (path: string): Promise<string> => {
  const sessionId = '5f6c3c57-7d0b-4c0e-9a53-6d2f3f1c0002';
  try {
    const request = { sessionId, wanted: [{ url: `${url}${path}` }], signal: new AbortController().signal };
    await downloads.provide(request);
    await downloads.remove(sessionId);
    return 'fetched';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const measure = async (): Promise<void> => {
  await attempt(warmUp); // what is loaded once is no growth
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  const outcome = await attempt(measured);
  clearInterval(watch);
  console.log(JSON.stringify({ grownMb: (most - before) / mebibyte, outcome }));
};

void measure();
