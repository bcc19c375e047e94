/**
 * Finds variables with the service's prefix that are not settings. A misspelt variable would leave a default in force,
 * and nobody would notice.
 */
import { isServiceLink } from './service-links';
import { allSettings } from './settings-table';

const prefix = 'PARLEY_';

/**
 * Variables of other programs that may run in the same environment: the command line, whose contexts name a token's
 * variable, the example VNFM, the benchmarks, the tests.
 */
const ofOtherPrograms = /^PARLEY_(URL|(.*_)?TOKEN|CONFIG|CONTEXT|TOKENS|SCHEDULE_CHECKER|TEST_.*|FAULTS_.*)$/;

const names: readonly string[] = allSettings.map(({ name }) => name);

/** The number of letters to insert, delete or replace to turn one word into the other. */
const editsBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of Array.from(from).entries()) {
    const next = [above + 1];
    for (const [left, other] of Array.from(to).entries()) {
      const replaced = (row[left] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** Compares names without their prefix: `PARLEY_KAFKA_BROKERS` means `KAFKA_BROKERS`. */
const ownPart = (name: string): string => name.toUpperCase().replace(prefix, '');

const nearestTo = (given: string): string => {
  const editsOf = (name: string): number => editsBetween(ownPart(given), ownPart(name));
  return names.reduce((best, name) => (editsOf(name) < editsOf(best) ? name : best));
};

/** Writes one line for each unknown variable. An empty variable counts as not set, as for every setting. */
export const unknownVariables = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env)
    .filter(([name, text = '']) => name.startsWith(prefix) && text.trim() !== '')
    .filter(([name, text = '']) => !isServiceLink(name, text))
    .filter(([name]) => !names.includes(name) && !ofOtherPrograms.test(name))
    .map(([name]) => `${name} is no setting; the nearest is ${nearestTo(name)}`);
