/**
 * Log lines for people at a terminal: time, level, process, message, then the fields, and below them an error's stack.
 * There are no colours: a container may have a terminal whose output is kept as its log.
 */
import { Writable } from 'node:stream';

/** pino's names of its levels, by their numbers. */
const levelNames: Readonly<Record<string, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** Fields that the line shows already, or that are of no use at a terminal. */
const leftOut = new Set(['time', 'level', 'name', 'msg', 'pid', 'hostname']);

/** @param line one JSON object as pino writes it; any other text stays unchanged */
export const readableLine = (line: string): string => {
  const fields = fieldsIn(line);
  if (fields === undefined) return line;
  const { time, level, name, msg } = fields;
  const stacks: string[] = [];
  const told = Object.entries(fields)
    .filter(([key]) => !leftOut.has(key))
    .map(([key, value]) => `${key}=${shown(value, stacks)}`);
  const head = [text(time), (levelNames[text(level)] ?? text(level)).padEnd(5), text(name), text(msg)];
  return [[...head, ...told].join(' '), ...stacks.map((stack) => stack.replaceAll(/^/gm, '    '))].join('\n');
};

const fieldsIn = (line: string): Record<string, unknown> | undefined => {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
};

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value ?? '');

/** An error's stack goes below the line. The first line of the stack is the error's message. */
const shown = (value: unknown, stacks: string[]): string => {
  if (typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string') {
    stacks.push(value.stack);
    return 'message' in value ? JSON.stringify(value.message) : '';
  }
  const plain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return plain ? value : JSON.stringify(value);
};

/** Writes the lines that pino produces to the stream as readable lines. */
export const readableTo = (stream: Writable): Writable =>
  new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = chunk.toString().replace(/\n$/, '').split('\n');
      stream.write(`${lines.map(readableLine).join('\n')}\n`, done);
    },
  });
