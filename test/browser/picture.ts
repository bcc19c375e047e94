/** Pictures of the page for the README and the documents, written while tests run. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** The folder for them; left out: none are written. */
const folder = process.env['PARLEY_PICTURES'];

const wide = { width: 1280, height: 860 };

export interface PictureOptions {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
}

/** Writes `NAME.png`, as somebody sees the page who sets the colours and the width of the window so. */
export const takePicture = async (page: Page, name: string, options: PictureOptions = {}): Promise<void> => {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const { scheme = 'light', width = wide.width } = options;
  const before = page.viewportSize() ?? wide;
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ ...wide, width });
  await page.waitForTimeout(1_200); // the axis follows the width of the window each second
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
};
