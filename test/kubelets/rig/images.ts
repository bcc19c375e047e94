/** Makes the images of the tests from busybox, since no registry is asked: `parley.local/app:1` and `…/pause:1`. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The first process of each. */
const commands = { app: ['/bin/app'], pause: ['/bin/sleep', 'infinity'] };

const searched = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export const makeImages = async (folder: string, busybox: string): Promise<void> => {
  const work = mkdtempSync(path.join(tmpdir(), 'images-'));
  try {
    const root = await fillRoot(path.join(work, 'root'), busybox);
    const same = ['--owner=0', '--group=0', '--mtime=@0', '--sort=name'];
    await run('tar', ['-C', root, ...same, '-cf', path.join(work, 'layer.tar'), '.']);
    for (const [name, command] of Object.entries(commands)) await packImage({ work, folder, name, command });
  } finally {
    rmSync(work, { recursive: true });
  }
};

const fillRoot = async (root: string, busybox: string): Promise<string> => {
  for (const below of ['bin', 'sbin', 'usr/bin', 'usr/sbin', 'etc', 'tmp', 'www', 'proc', 'sys', 'dev']) {
    mkdirSync(path.join(root, below), { recursive: true });
  }
  const { stdout } = await run(busybox, ['--list-full']);
  for (const applet of stdout.split('\n')) {
    if (applet !== '' && applet !== 'bin/busybox') symlinkSync('/bin/busybox', path.join(root, applet));
  }
  copyFileSync(busybox, path.join(root, 'bin/busybox'));
  writeFileSync(path.join(root, 'bin/app'), readFileSync(path.join(__dirname, 'app.sh')), { mode: 0o755 });
  writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\n');
  return root;
};

interface ImageToPack {
  /** Has the layer, which is the same for all. */
  readonly work: string;
  readonly folder: string;
  readonly name: string;
  readonly command: readonly string[];
}

const packImage = async ({ work, folder, name, command }: ImageToPack): Promise<void> => {
  const layer = createHash('sha256')
    .update(readFileSync(path.join(work, 'layer.tar')))
    .digest('hex');
  const config = {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
    config: { Env: [`PATH=${searched}`], Cmd: command },
  };
  const manifest = [{ Config: 'config.json', RepoTags: [`parley.local/${name}:1`], Layers: ['layer.tar'] }];
  writeFileSync(path.join(work, 'config.json'), JSON.stringify(config));
  writeFileSync(path.join(work, 'manifest.json'), JSON.stringify(manifest));
  const members = ['manifest.json', 'config.json', 'layer.tar'];
  await run('tar', ['-C', work, '-cf', path.join(folder, `${name}.tar`), ...members]);
};
