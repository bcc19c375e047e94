import { appendFileSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { capLogs } from '../../../cli/stack/cap-logs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const inFolder = (name: string): string => path.join(folder, name);
const read = (name: string): string => readFileSync(inFolder(name), 'utf8');

it('moves a log that has grown too large aside, while its process goes on writing', async () => {
  const log = openSync(inFolder('worker.log'), 'a');
  writeSync(log, 'long ago\n');
  await capLogs(folder, 8);
  writeSync(log, 'now\n');
  closeSync(log);
  expect([read('worker.log.1'), read('worker.log')]).toEqual(['long ago\n', 'now\n']);
});

it('keeps one old part of a log', async () => {
  for (const text of ['first part\n', 'second part\n']) {
    appendFileSync(inFolder('api.log'), text);
    await capLogs(folder, 8);
  }
  expect([read('api.log.1'), read('api.log')]).toEqual(['second part\n', '']);
});

it('leaves a small log, and what is no log, as it is', async () => {
  appendFileSync(inFolder('api.log'), 'small\n');
  appendFileSync(inFolder('notes.txt'), 'longer than the limit\n');
  await capLogs(folder, 8);
  expect([read('api.log'), read('notes.txt')]).toEqual(['small\n', 'longer than the limit\n']);
  expect(existsSync(inFolder('api.log.1'))).toBe(false);
});
