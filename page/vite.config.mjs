// Builds the page into dist/page. Nothing becomes part of a file that the Content-Security-Policy would have to allow:
// no inline script, no style in an attribute, no data: address.
import path from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // The page finds its files, and the API, also behind a proxy that serves it below a path.
  base: './',
  logLevel: 'warn',
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
