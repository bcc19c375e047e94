/** Gets Debian's headless Chromium, the libraries that it lacks here and a font into the user's cache, once. */
import { globSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, fillInCache } from '../../cli/stack/cache';
import { distribution, getDebianPackages } from '../run/debian-packages';
import type { Chromium } from './chromium';

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

const chromiumIn = (folder: string): Chromium => {
  const root = path.join(folder, 'root');
  return {
    executablePath: path.join(root, 'usr', 'lib', 'chromium', 'chromium-headless-shell'),
    env: { LD_LIBRARY_PATH: libraryFolders(root).join(':'), FONTCONFIG_FILE: path.join(folder, 'fonts.conf') },
  };
};

/** @throws Error where apt-get cannot */
const getChromium = (folder: string): Promise<void> =>
  fillInCache(folder, async (growing) => {
    await getDebianPackages(growing, { packages, withTheirNeeds: true });
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
