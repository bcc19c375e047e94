import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findTemporalProgram, temporalCliVersion } from '../../../cli/stack/temporal-program';

describe('findTemporalProgram', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-programs-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = (...place: string[]): string => {
    const file = path.join(folder, ...place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o755);
    return file;
  };
  const find = (env: NodeJS.ProcessEnv): Promise<string> => findTemporalProgram({ env, tell: () => undefined });
  const onPath = () => program('bin', 'temporal');
  const cached = () => program('cache', 'parley', `temporal-cli-${temporalCliVersion}`, 'temporal');
  const env = () => ({ PATH: path.join(folder, 'bin'), XDG_CACHE_HOME: path.join(folder, 'cache') });

  it('takes the one that TEMPORAL_CLI names before all others', async () => {
    const named = program('own', 'my-temporal');
    onPath();
    cached();
    await expect(find({ ...env(), TEMPORAL_CLI: named })).resolves.toBe(named);
  });

  it('does not fall back when TEMPORAL_CLI names nothing that can be run', async () => {
    onPath();
    const missing = path.join(folder, 'missing');
    await expect(find({ ...env(), TEMPORAL_CLI: missing })).rejects.toThrow(`TEMPORAL_CLI names ${missing}`);
  });

  it('takes the one on PATH before the cached one', async () => {
    const found = onPath();
    cached();
    await expect(find(env())).resolves.toBe(found);
  });

  it('takes the cached one', async () => {
    const found = cached();
    await expect(find(env())).resolves.toBe(found);
  });

  it('gives up when it is told to, before it downloads anything', async () => {
    const signal = AbortSignal.abort(new Error('stopped by SIGINT'));
    await expect(findTemporalProgram({ env: env(), tell: () => undefined, signal })).rejects.toThrow('stopped');
  });
});
