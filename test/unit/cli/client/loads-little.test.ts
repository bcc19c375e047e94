import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type FakeApi, startFakeApi } from './fake-api';

const root = path.join(__dirname, '../../../..');

/** Writes the packages that the process has loaded in its last line, without those that compile it here. */
const command = `
  process.argv.splice(1, 0, 'parley');
  const Module = require('node:module');
  const packages = new Set();
  const load = Module.prototype.load;
  Module.prototype.load = function (file) {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(file) ?? [];
    if (name !== undefined && !name.startsWith('@swc/')) packages.add(name);
    return load.call(this, file);
  };
  process.on('exit', () => process.stdout.write(JSON.stringify([...packages].sort())));
  require('./cli/main.ts');`;

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());

const packagesOf = async (args: readonly string[]): Promise<unknown> => {
  const given = ['--require', './test/run/run-typescript.cjs', '--eval', command, '--', ...args];
  const env = { PATH: process.env['PATH'], PARLEY_URL: api.url, PARLEY_CONFIG: '/nowhere/config.yaml' };
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: root, env });
  return JSON.parse(
    stdout
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replace(/^.*(?=\[)/, '') ?? '',
  );
};

describe('a command that begins soon', () => {
  it.each([
    { args: ['-V'], packages: ['commander'] },
    { args: ['--help'], packages: ['commander', 'eventsource-parser'] },
    { args: ['completion', 'bash'], packages: ['commander', 'eventsource-parser'] },
    { args: ['list'], packages: ['commander', 'eventsource-parser'] },
    { args: ['list', '-o', 'yaml'], packages: ['commander', 'eventsource-parser', 'yaml'] },
  ])('$args loads $packages alone', async ({ args, packages }) => {
    api.answers({ 'GET /v1/maintenance': { body: { session_id: [], sessions: [] } } });
    expect(await packagesOf(args)).toEqual(packages);
  });
});
