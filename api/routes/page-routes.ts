/** The operator's page (page/), as the build has left it: the files of a folder, with a strict policy for browsers. */
import path from 'node:path';
import express, { type RequestHandler, type Response, Router } from 'express';
import { policyFor } from '../http/content-policy';

/** The page lies beside the compiled API. A run without compiling finds it where `npm run build` puts it. */
const builtPage = path.resolve(__dirname, __filename.endsWith('.ts') ? '../../dist/page' : '../../page');

export interface PageParts {
  readonly folder?: string;
  /** The address at which the page gets tokens; undefined: none. Rejects while nobody can tell the address. */
  readonly tokenEndpoint?: () => Promise<string | undefined>;
}

/** Finds none when the provider does not answer: the page is served all the same, and says that nobody can sign in. */
const originsOf = (tokenEndpoint: NonNullable<PageParts['tokenEndpoint']>): Promise<string[]> =>
  tokenEndpoint()
    .then((url) => (url === undefined ? [] : [new URL(url).origin]))
    .catch(() => []);

/** The origins to which the page may send requests, by the answer that carries the page. */
const originsOfPage = new WeakMap<object, readonly string[]>();

const noteOrigins =
  (tokenEndpoint: NonNullable<PageParts['tokenEndpoint']>): RequestHandler =>
  async (req, res, next) => {
    if (req.path === '/' || req.path === '/index.html') originsOfPage.set(res, await originsOf(tokenEndpoint));
    next();
  };

const headersOfPage = (res: Response) => ({
  'Content-Security-Policy': policyFor({ 'connect-src': ["'self'", ...(originsOfPage.get(res) ?? [])] }),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
});

/** Names of built files hold a digest of their content, so they never change; index.html names them. */
const keptByBrowsers = { 'Cache-Control': 'public, max-age=31536000, immutable' } as const;

/** Goes by the file and not by the address, which can be written in other ways, such as /%69ndex.html. */
const setHeaders = (res: Response, file: string): void => {
  const isPage = path.basename(file) === 'index.html';
  res.set({ 'Cross-Origin-Resource-Policy': 'same-origin', ...(isPage ? headersOfPage(res) : keptByBrowsers) });
};

/** A person who typed a wrong address gets a way back; a program gets the problem that all unknown addresses have. */
const showWayBack: RequestHandler = (req, res, next) => {
  if (req.method !== 'GET' || req.path.startsWith('/v1/') || req.accepts(['json', 'html']) !== 'html') {
    next();
    return;
  }
  res.status(404).set('Content-Security-Policy', policyFor({})).type('html').send(wayBackFrom(req.path));
};

/** Relative, because a proxy may serve the page under a path of its own. */
const homeFrom = (address: string): string => '../'.repeat(Math.max(0, address.split('/').length - 2)) || './';

const wayBackFrom = (address: string): string => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>No such page – Parley</title></head>
  <body><h1>There is no page at this address</h1><p><a href="${homeFrom(address)}">All sessions</a></p></body>
</html>
`;

export const createPageRoutes = ({
  folder = builtPage,
  tokenEndpoint = () => Promise.resolve(undefined),
}: PageParts = {}): Router => {
  const router = Router();
  router.use(noteOrigins(tokenEndpoint));
  router.use(express.static(folder, { setHeaders, redirect: false, cacheControl: false }));
  router.use(showWayBack);
  return router;
};
