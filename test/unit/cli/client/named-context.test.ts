import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { examples } from '../../../../api/openapi/examples';
import { type } from '../../../builders/typed-command';
import { type FakeApi, startFakeApi } from './fake-api';

let api: FakeApi;
let folder: string;
beforeAll(async () => {
  api = await startFakeApi();
  folder = await mkdtemp(path.join(os.tmpdir(), 'parley-contexts-'));
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const list = { 'GET /v1/maintenance': { body: examples.SessionList } };

describe('a context that is named', () => {
  const elsewhere = 'http://127.0.0.1:1';
  const env = { PARLEY_URL: elsewhere, PARLEY_TOKEN: 'of-prod', LAB_TOKEN: 'of-lab' };
  const contexts = (): string => `current: local
contexts:
  local: {token_from: LAB_TOKEN}
  lab: {url: "${api.url}/", token_from: LAB_TOKEN}
  open: {url: "${api.url}"}
  unset: {url: "${api.url}", token_from: NO_TOKEN}
  far: {url: "${elsewhere}", token_from: LAB_TOKEN}
`;
  const listed = async (args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const file = path.join(folder, 'named.yaml');
    await writeFile(file, contexts());
    api.answers(list);
    const { exitCode, err } = await type(api, ['list', ...args], { env: { ...env, ...more, PARLEY_CONFIG: file } });
    return { exitCode, err, tokens: api.received.map(({ headers }) => headers['x-auth-token']) };
  };

  it.each([
    { so: 'comes before the environment', args: ['--context', 'lab'], other: false, token: 'of-lab' },
    { so: 'gets no token of the environment', args: ['--context', 'open'], other: false, token: undefined },
    { so: 'gives no token to another address', args: ['--context', 'far'], other: true, token: 'of-prod' },
    { so: 'gives its token to its own address', args: ['--context', 'lab'], other: true, token: 'of-lab' },
  ])('$so: $args, --url: $other', async ({ args, other, token }) => {
    expect(await listed([...args, ...(other ? ['--url', `${api.url}/v1`] : [])])).toMatchObject({
      exitCode: 0,
      tokens: [token],
    });
  });

  it('is no sign-in where its variable is not set', async () => {
    const { exitCode, err, tokens } = await listed(['--context', 'unset']);
    expect([exitCode, tokens]).toEqual([4, []]);
    expect(err).toContain('NO_TOKEN is not set');
  });

  it('gives no token of the current one to the address of the environment', async () => {
    expect((await listed([], { PARLEY_URL: api.url, PARLEY_TOKEN: '' })).tokens).toEqual([undefined]);
  });

  it.each(['http://me:apple@127.0.0.1:1', 'http://me:pear/apple@127.0.0.1:1'])(
    'shows no password of %s',
    async (url) => {
      const { exitCode, err } = await listed(['--url', url]);
      expect(exitCode).not.toBe(0);
      expect(err).not.toMatch(/me:|pear|apple/);
    },
  );
});
