/** Behind a proxy that serves the API under a path of its own and takes it away, everything leads there again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express, { type Express } from 'express';
import request from 'supertest';
import { createOpenApiDocument } from '../../../api/openapi/document';
import { createPageRoutes } from '../../../api/routes/page-routes';
import { createPublicRoutes } from '../../../api/routes/public-routes';

const prefix = '/parley';
const baseUrl = `https://cloud.example.org${prefix}`;
let folder: string;
let proxied: Express;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-prefix-'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>page</title>');
  const service = express();
  const readiness = () => Promise.resolve({ ready: true, problems: [] });
  service.use(createPublicRoutes({ document: createOpenApiDocument(baseUrl), readiness }));
  service.use(createPageRoutes({ folder }));
  proxied = express().use((req, res) => {
    // A proxy takes the prefix away, so that the service does not know of it.
    req.url = req.url.slice(prefix.length);
    req.originalUrl = req.url;
    service(req, res);
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The address that a browser makes of a link or a redirect. */
const seenFrom = (address: string, link: string): string =>
  new URL(link, `https://cloud.example.org${address}`).pathname;

it('sends a browser from /docs to the folder of the document', async () => {
  const { headers } = await request(proxied).get('/parley/docs').expect(301);
  const there = seenFrom('/parley/docs', headers['location']!);
  expect(there).toBe('/parley/docs/');
  expect((await request(proxied).get(there).expect(200)).text).toContain('swagger');
  const { text } = await request(proxied).get('/parley/docs/swagger-initializer.js').expect(200);
  expect(seenFrom(there, /url: '([^']+)'/.exec(text)?.[1] ?? '')).toBe('/parley/openapi.json');
});

it.each(['/parley/nowhere', '/parley/sessions/1', '/parley/a/b/', '/parley/a//b', '/parley/docs/nothing'])(
  'shows a way back from %s to the page',
  async (address) => {
    const { text } = await request(proxied).get(address).set('Accept', 'text/html').expect(404);
    expect(seenFrom(address, /<a href="([^"]+)"/.exec(text)?.[1] ?? '')).toBe('/parley/');
  },
);

it('names the servers of the API with the path', async () => {
  const reply = await request(proxied).get('/parley/openapi.json').expect(200);
  expect(reply.body).toMatchObject({ servers: [{ url: baseUrl }] });
});
