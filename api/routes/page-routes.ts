/** The operator's page (page/), as the build has left it: the files of a folder, with a strict policy for browsers. */
import path from 'node:path';
import express, { type Response, Router } from 'express';

/** Beside the compiled API, and in a run without compiling where `npm run build` puts it. */
export const builtPage = path.resolve(__dirname, __filename.endsWith('.ts') ? '../../dist/page' : '../../page');

/** @param connectTo further origins that the page may send requests to: of the issuer of tokens */
export const pagePolicy = (connectTo: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Names of built files hold a digest of their content, so they never change; index.html names them. */
const cacheFor = (file: string): string =>
  path.basename(file) === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable';

export const createPageRoutes = ({
  folder = builtPage,
  connectTo,
}: { readonly folder?: string; readonly connectTo?: readonly string[] } = {}): Router => {
  const policy = pagePolicy(connectTo);
  const setHeaders = (res: Response, file: string): void => {
    res.set({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': cacheFor(file),
    });
  };
  const router = Router();
  router.use(express.static(folder, { setHeaders, redirect: false, cacheControl: false }));
  return router;
};
