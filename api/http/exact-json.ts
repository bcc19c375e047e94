/**
 * Checks a body's bytes before JSON.parse. It refuses text that is not UTF-8, and numbers that would be stored as
 * others, so that nobody reads back another value than was sent.
 */
import { isUtf8 } from 'node:buffer';
import { inexactNumber, malformedJson, unreadableRequest } from '../problems/problem-catalogue';

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

/**
 * Every number outside of strings, in the form of the text. A loop, because a pattern's stack would grow with the body.
 */
function* numbersIn(text: string): Generator<string> {
  const number = /-?\d[\d.eE+-]*/y;
  for (let at = 0; at < text.length;) {
    number.lastIndex = at;
    const [found] = number.exec(text) ?? [];
    if (found !== undefined) yield found;
    at = text[at] === '"' ? endOfString(text, at) : at + (found?.length ?? 1);
  }
}

/** Fractions are rounded to the nearest double, as every reader of JSON expects. Magnitude and integers are kept. */
const isKept = (written: string): boolean => {
  const value = Number(written);
  if (!Number.isFinite(value)) return Number.isNaN(value); // JSON.parse reports the fault of such a text
  if (value === 0) return !/[1-9]/.test(written.replace(/[eE].*$/, ''));
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(written) || BigInt(written) === BigInt(value);
};

/**
 * @param body the whole body
 * @throws ApiError 400
 */
export const assertExactJson = (body: Buffer, charset: string): void => {
  if (charset !== 'utf-8') throw unreadableRequest(`its charset is ${charset}, where JSON is UTF-8`);
  if (!isUtf8(body)) throw malformedJson('it has bytes that are no UTF-8');
  for (const written of numbersIn(body.toString('utf8'))) {
    if (!isKept(written)) throw inexactNumber(written);
  }
};
