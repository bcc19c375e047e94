/** Which Node.js runs Parley where the machine's own is older: the one that npm installs. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '../../..');

interface PackageFile {
  readonly engines: { readonly node: string };
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
const readPackage = (file: string): PackageFile =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as PackageFile;

describe('bin/parley', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-node-'));
  const installed = path.join(folder, 'node_modules/.bin/node');

  /** A program that says its name and what it was given. */
  const writeNode = (file: string, name: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho "${name}: $@"\n`);
    chmodSync(file, 0o755);
  };

  const runParley = (program: string): string =>
    spawnSync(program, ['fleet', 'load', 'a file.json'], {
      env: { PATH: `${path.join(folder, 'machine')}:${process.env['PATH'] ?? ''}` },
      encoding: 'utf8',
    }).stdout.trim();

  beforeAll(() => {
    mkdirSync(path.join(folder, 'bin'));
    copyFileSync(path.join(root, 'bin/parley'), path.join(folder, 'bin/parley'));
    symlinkSync('bin/parley', path.join(folder, 'parley'));
    writeNode(path.join(folder, 'machine/node'), 'the node of the machine');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the Node.js of the machine where npm installed none', () => {
    rmSync(installed, { force: true });
    const program = path.join(folder, 'bin/parley');
    expect(runParley(program)).toBe(`the node of the machine: ${program} fleet load a file.json`);
  });

  it.each(['bin/parley', 'parley'])('takes the Node.js that npm installed, called as %s', (name) => {
    writeNode(installed, 'the node of npm');
    expect(runParley(path.join(folder, name))).toBe(
      `the node of npm: ${path.join(folder, 'bin/parley')} fleet load a file.json`,
    );
  });
});

describe('supported-node', () => {
  const startOn = (version: string): { readonly status: number | null; readonly stderr: string } => {
    const program = `
      Object.defineProperty(process.versions, 'node', { value: '${version}' });
      require('./bin/supported-node.cjs');`;
    return spawnSync(process.execPath, ['-e', program], { cwd: root, encoding: 'utf8' });
  };

  it.each(['20.20.2', '22.18.0', '9.30.0'])('refuses Node.js %s and says what helps', (version) => {
    const { status, stderr } = startOn(version);
    expect(status).toBe(1);
    expect(stderr).toContain(`this is Node.js ${version}; Parley runs on 22.19 or later`);
    expect(stderr).toContain('make install');
  });

  it.each(['22.19.0', '22.23.3', '24.0.0', '26.10.0'])('lets Node.js %s run', (version) => {
    expect(startOn(version)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('dev/tools/node', () => {
  const { version, optionalDependencies } = readPackage('dev/tools/node/package.json');

  it('brings one version for every platform', () => {
    expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([version]));
  });

  it('brings the Node.js line of the images', () => {
    const images = [...readFileSync(path.join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM node:(\d+)/gm)];
    expect(new Set(images.map(([, major]) => major))).toEqual(new Set([version.split('.')[0]]));
  });
});
