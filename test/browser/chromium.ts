/** Finds the Chromium that the tests of the page drive: the one that is named, one on PATH, else Debian's. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { debianChromium } from './debian-chromium';

export interface Chromium {
  readonly executablePath: string;
  /** Variables for its process, beside the environment of ours. */
  readonly env: Readonly<Record<string, string>>;
}

/** The Makefile looks for the same. */
const namesOnPath = ['chromium', 'chromium-browser', 'google-chrome'];
const versionMs = 60_000;

/** A name on PATH may be a stub that only tells how to install a browser. */
const works = async ({ executablePath, env }: Chromium): Promise<boolean> => {
  try {
    const options = { timeout: versionMs, env: { ...process.env, ...env } };
    const { stdout } = await promisify(execFile)(executablePath, ['--version'], options);
    return /\d+\.\d+/.test(stdout);
  } catch {
    return false;
  }
};

const missing =
  'a Chromium is missing: the tests of the page drive one. Install it, so that chromium, chromium-browser or ' +
  'google-chrome is on PATH, or name its program in PARLEY_TEST_CHROMIUM. On Debian the tests get it by apt-get';

/** @throws Error that says what to install and why */
export const findChromium = async (): Promise<Chromium> => {
  const named = process.env['PARLEY_TEST_CHROMIUM'];
  for (const executablePath of named === undefined ? namesOnPath : [named]) {
    const candidate = { executablePath, env: {} };
    if (await works(candidate)) return candidate;
  }
  if (named !== undefined) throw new Error(`PARLEY_TEST_CHROMIUM names ${named}, which does not start`);
  return debianChromium(works).catch((cause: unknown) => {
    throw new Error(missing, { cause });
  });
};
