import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { addSimulateCommand } from '../../../cli/simulate';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';

const longest = { name: 'long', maintenance_s: 900 };
const hosts = [aFleetHost({ name: 'spare', maintain: false }), aFleetHost(longest), aFleetHost({ name: 'short' })];
const instances = ['long', 'short'].map((host, number) => aFleetInstance({ host, instance_id: uuidNumber(number) }));

let folder: string;
const file = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'parley-simulate-'));
  await writeFile(file('fleet.json'), JSON.stringify(aFleetFile({ name: 'small', hosts, groups: [], instances })));
});
afterAll(() => rm(folder, { recursive: true }));

/** @returns what it writes for the user */
const simulate = async (...words: readonly string[]): Promise<{ readonly out: string; readonly err: string }> => {
  const said = { out: '', err: '' };
  const program = new Command('parley').exitOverride().configureOutput({
    writeOut: (text) => void (said.out += text),
    writeErr: (text) => void (said.err += text),
  });
  addSimulateCommand(program);
  const given = ['--fleet', file('fleet.json'), '--trace', file('trace.jsonl'), ...words];
  await program.parseAsync(['node', 'parley', 'simulate', ...given]);
  return said;
};

const earlier = async (...events: readonly object[]): Promise<string> => {
  await writeFile(file('earlier.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return file('earlier.jsonl');
};
const maintained = (host: string, seconds = 60) => [
  { t: 0, event: 'maintenance_start', host },
  { t: seconds, event: 'maintenance_end', host },
];

describe('parley simulate', () => {
  it('learns from the trace that it wrote without being told any time', async () => {
    await simulate('--hide-durations');
    const first = await readFile(file('trace.jsonl'), 'utf8');
    await writeFile(file('first.jsonl'), first);
    const { out, err } = await simulate('--hide-durations', '--learn-from', file('first.jsonl'));
    expect(out).toMatch(/^small: makespan \d+ s, \d+ moves\n$/);
    expect(err).toBe('');
  });

  it.each([
    {
      situation: 'hosts that the fleet does not have',
      events: [...maintained('long'), { t: 60, event: 'enable', host: 'stranger' }],
      remark: 'small has no host stranger; their times are not used',
    },
    {
      situation: 'not all of its hosts',
      events: maintained('long'),
      remark: 'it tells no time of host short, expected to take as long as hosts of their type',
    },
    {
      situation: 'hosts of the same names, and other instances',
      events: [{ t: 0, event: 'notify', instance: uuidNumber(77) }, ...maintained('long')],
      remark: 'small has none of its instances, so it may be the trace of another fleet',
    },
  ])('says so and goes on where the earlier trace tells of $situation', async ({ events, remark }) => {
    const { out, err } = await simulate('--learn-from', await earlier(...events));
    expect(err).toContain(`${remark}\n`);
    expect(out).toContain('makespan');
  });

  it.each([
    {
      situation: 'is of another fleet',
      events: maintained('stranger'),
      error: /is of another fleet: its hosts are stranger, those of small are spare, long, short$/,
    },
    { situation: 'tells of no maintenance', events: [{ t: 0, event: 'done' }], error: /no maintenance that ended/ },
    { situation: 'has a line that is no event', events: [{ t: '0' }], error: /line 1 is not an event/ },
    {
      situation: 'goes back in time',
      events: maintained('long', -1),
      error: /line 2 is at -1 s, before the line above it at 0 s/,
    },
  ])('refuses an earlier trace that $situation', async ({ events, error }) => {
    await expect(simulate('--learn-from', await earlier(...events))).rejects.toThrow(error);
  });

  it('refuses an earlier trace that is not there, or not JSON', async () => {
    await expect(simulate('--learn-from', file('none.jsonl'))).rejects.toThrow(/none\.jsonl cannot be read/);
    await expect(simulate('--learn-from', file('fleet.json'))).rejects.toThrow(
      /is not a trace: line 1 is not an event/,
    );
  });
});
