// Generates the Prisma client when the schema or Prisma's version has changed since it was last generated. An install
// script could have been blocked, so the build and the tests call this themselves.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const schema = path.join(import.meta.dirname, 'schema.prisma');
const prisma = path.dirname(require.resolve('prisma-cli/package.json'));
const generated = path.resolve(prisma, '../.prisma/client/index.js');
const stamp = path.resolve(prisma, '../.prisma/generated-from.sha256');

const digest = createHash('sha256')
  .update(readFileSync(schema))
  .update(readFileSync(path.join(prisma, 'package.json')))
  .digest('hex');
const isUpToDate = existsSync(generated) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;

const generate = () => {
  // Prisma's command line first wants its native engine, which generating does not use: any program will do
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', ...process.env };
  const args = [path.join(prisma, 'build/index.js'), 'generate', '--schema', schema, '--no-hints'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status ?? 1;
};

if (!isUpToDate) {
  process.exitCode = generate();
  if (process.exitCode === 0) writeFileSync(stamp, digest);
}
