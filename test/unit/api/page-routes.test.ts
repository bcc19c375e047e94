import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import request from 'supertest';
import { createPageRoutes } from '../../../api/routes/page-routes';

describe('the page', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-page-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(path.join(folder, 'assets/index-1.js'), '');
  afterAll(() => rmSync(folder, { recursive: true }));

  const app = (tokenEndpoint?: () => Promise<string>) =>
    express().use(createPageRoutes({ folder, ...(tokenEndpoint && { tokenEndpoint }) }));

  it('is served with a policy that lets it load its own files alone, and nobody frame it', async () => {
    const { headers } = await request(app()).get('/').expect(200);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' });
  });

  it.each(['/index.html', '/%69ndex.html', '//index.html', '/assets/%2e%2e/index.html'])(
    'has the same policy at %s',
    async (address) => {
      const { headers } = await request(app()).get(address).expect(200);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' });
    },
  );

  it('may send requests to the issuer of tokens, where there is one', async () => {
    const { headers } = await request(app(() => Promise.resolve('https://issuer.example/token')))
      .get('/')
      .expect(200);
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://issuer.example;");
  });

  it('is served while the issuer does not answer', async () => {
    const { headers } = await request(app(() => Promise.reject(new Error('away'))))
      .get('/')
      .expect(200);
    expect(headers['content-security-policy']).toContain("connect-src 'self';");
  });

  it('has files that browsers keep, since their names change with their content', async () => {
    const { headers } = await request(app()).get('/assets/index-1.js').expect(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('offers a way back from a wrong address, to people and not to programs', async () => {
    const shown = await request(app()).get('/sessions/47479bca').accept('text/html').expect(404);
    expect(shown.text).toContain('<a href="../">');
    const routed = app().use((_req, res) => void res.status(404).json({ code: 'NO_SUCH_ENDPOINT' }));
    await request(routed)
      .get('/sessions/47479bca')
      .accept('application/json')
      .expect(404, { code: 'NO_SUCH_ENDPOINT' });
  });
});
