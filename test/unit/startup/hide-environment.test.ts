/** A script of a package looks for the settings of its worker in /proc. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../../..');
const secret = `postgresql://parley:it's "hidden" $HOME \`id\`\n\\n@db/parley`;

/** Shows the environments of its ancestors, up to the one whose parent started all this. */
const searching = `#!/bin/sh
pid=$PPID
while [ "$pid" -gt 1 ] && [ "$pid" != ${process.pid} ]; do
  echo "looked at an ancestor"
  tr '\\0' '\\n' < /proc/$pid/environ | grep -a -e DATABASE_URL -e hidden
  pid=$(cut -d ' ' -f 4 /proc/$pid/stat)
done
exit 0
`;

/** Of a cluster with many services. */
const manyServices = Object.fromEntries(
  Array.from({ length: 500 }, (_, number) => [`SERVICE_${number}_PORT`, `tcp://${'10.0.0.1:443/'.repeat(40)}`]),
);

it.each([
  { what: 'of a few settings', further: {} },
  { what: 'of more than one variable takes', further: manyServices },
])('finds none in an environment $what of any process between, while the worker knows them', async ({ further }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-environment-'));
  try {
    mkdirSync(path.join(folder, 'actions'));
    const file = path.join(folder, 'actions', 'search');
    writeFileSync(file, searching, { mode: 0o755 });
    const args = ['--require', path.join(root, 'test/run/run-typescript.cjs'), 'test/unit/startup/hidden-worker.ts'];
    const env = { PATH: process.env['PATH'], TMPDIR: tmpdir(), DATABASE_URL: secret, ...further };
    const { stdout } = await promisify(execFile)(process.execPath, [...args, folder, file], { cwd: root, env });
    const told = JSON.parse(stdout.split('\n').at(-2) ?? '') as { knows: string; ppid: number; state: string };
    expect(told).toMatchObject({ knows: secret, ppid: process.pid });
    expect(told.state.split('\n')).toEqual(['looked at an ancestor', 'looked at an ancestor']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
