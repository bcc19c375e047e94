/** The commands of a document, in the order in which a reader comes to them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(__dirname, '../../..');

/** The first words of a block that is to be typed. Other blocks show files, answers and pictures. */
const isCommand = (block: string): boolean =>
  /^(curl|openstack|bin\/parley|make|echo|grep|mkdir|tar|cp|\(cd|[A-Z_]+=[^\n]*(\$\(|make up|node |\n|$))/.test(block);

/** Blocks are indented by four spaces, by more in a list, and end with the next line that is not. */
const blocksIn = (text: string): string[] =>
  [...text.matchAll(/(?<=\n\n)(?<indent> {4,})[^\n]*(?:\n {4}[^\n]*)*/g)].map(([block, indent = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
  );

/** A command may go on over several lines: within quotes, after a pipe, or after a backslash. */
const isWhole = (lines: string): boolean => (lines.match(/'/g)?.length ?? 0) % 2 === 0 && !/(\||\\)\s*$/.test(lines);

const commandsOf = (block: string): string[] =>
  block.split('\n').reduce<string[]>((commands, line) => {
    const last = commands.at(-1);
    return last === undefined || isWhole(last) ? [...commands, line] : [...commands.slice(0, -1), `${last}\n${line}`];
  }, []);

/** @param section a heading; left out: the whole document */
export const commandsIn = (file: string, section?: string): string[] => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const shown = section === undefined ? text : sectionOf(text, section);
  return blocksIn(shown).filter(isCommand).flatMap(commandsOf);
};

/** Until the next heading of the same level or above. */
const sectionOf = (text: string, heading: string): string => {
  const begin = text.indexOf(`\n${heading}\n`);
  if (begin < 0) throw new Error(`there is no heading "${heading}"`);
  const level = heading.indexOf(' ');
  const rest = text.slice(begin + heading.length + 1);
  const end = rest.search(new RegExp(`^#{1,${level}} `, 'm'));
  return end < 0 ? rest : rest.slice(0, end);
};
