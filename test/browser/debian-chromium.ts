/**
 * Gets Debian's headless Chromium, the libraries that it lacks here and a font into the user's cache, once. Needs no
 * root: apt-get keeps its lists and archives in a folder of ours, and nothing is installed.
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../cli/stack/cache';
import type { Chromium } from './chromium';

const run = promisify(execFile);
const getMs = 20 * 60_000;

const packages = ['chromium-headless-shell', 'fonts-liberation'];

/** The folders with libraries. One library is only found in a folder of its own by its neighbours. */
const libraryFolders = (root: string): string[] => {
  const files = globSync('{usr/lib,lib}/*-linux-*/**/*.so*', { cwd: root });
  return [...new Set(files.map((file) => path.join(root, path.dirname(file))))];
};

/** Text is blank without a font, and a machine for tests may have none. */
const fontsFile = (root: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${path.join(root, 'usr', 'share', 'fonts')}</dir>
  <cachedir>${path.join(root, 'font-cache')}</cachedir>
  <match target="pattern"><edit name="family" mode="append_last"><string>Liberation Sans</string></edit></match>
  <alias><family>ui-monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
</fontconfig>
`;

const apt = (folder: string, ...args: readonly string[]): Promise<unknown> => {
  const options = {
    'Dir::State': path.join(folder, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status', // of the machine: what it has need not be got
    'Dir::Cache': path.join(folder, 'cache'),
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': 'root', // root's own folders are closed to the user _apt
  };
  const given = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return run('apt-get', [...given, '-q', '-y', ...args], { timeout: getMs, maxBuffer: 64 * 1024 ** 2 });
};

const getInto = async (folder: string): Promise<void> => {
  const archives = path.join(folder, 'cache', 'archives');
  await mkdir(path.join(folder, 'state', 'lists', 'partial'), { recursive: true });
  await mkdir(path.join(archives, 'partial'), { recursive: true });
  await apt(folder, 'update');
  await apt(folder, 'install', '--no-install-recommends', '--download-only', ...packages);
  for (const name of await readdir(archives)) {
    if (name.endsWith('.deb')) await run('dpkg', ['-x', path.join(archives, name), path.join(folder, 'root')]);
  }
  await rm(path.join(folder, 'state'), { recursive: true });
  await rm(path.join(folder, 'cache'), { recursive: true });
};

const chromiumIn = (folder: string): Chromium => {
  const root = path.join(folder, 'root');
  return {
    executablePath: path.join(root, 'usr', 'lib', 'chromium', 'chromium-headless-shell'),
    env: { LD_LIBRARY_PATH: libraryFolders(root).join(':'), FONTCONFIG_FILE: path.join(folder, 'fonts.conf') },
  };
};

const distribution = (): string => {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^VERSION_CODENAME=(\w+)/m.exec(release)?.[1] ?? 'unknown';
};

/** @throws Error where apt-get cannot */
const getChromium = (folder: string): Promise<void> =>
  fillInCache(folder, async (growing) => {
    await getInto(growing);
    await writeFile(path.join(growing, 'fonts.conf'), fontsFile(path.join(folder, 'root')));
  });

/** @param works whether it starts here @throws Error where apt-get cannot get it, or it does not start */
export const debianChromium = async (works: (chromium: Chromium) => Promise<boolean>): Promise<Chromium> => {
  const folder = path.join(cacheFolder(process.env), `chromium-${distribution()}`);
  if (await works(chromiumIn(folder))) return chromiumIn(folder);
  await rm(folder, { recursive: true, force: true });
  await getChromium(folder);
  if (await works(chromiumIn(folder))) return chromiumIn(folder);
  throw new Error(`Debian's Chromium does not start in ${folder}`);
};
