/**
 * Text as Python programs on the way make it and read it: a list or dictionary of an event becomes the text that Python
 * prints for it, and a client evaluates such text as a Python literal. What is no literal there is an error, as it is
 * for them: true, false and null are names that Python does not know.
 */

const quoted = (text: string): string => {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return escaped.includes("'") && !escaped.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
};

/** The result of `str()` for a value that came as JSON. Text within lists and dictionaries is quoted. */
export const pythonText = (value: unknown): string => (typeof value === 'string' ? value : inner(value));

const inner = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${quoted(key)}: ${inner(each)}`);
  return `{${entries.join(', ')}}`;
};

const token = /\s*(?:(?<mark>[[\]{},:])|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<word>[^\s[\]{},:'"]+))/y;

const constants = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

const escapes = new Map([['n', '\n']]);
const unquoted = (text: string): string =>
  text.slice(1, -1).replace(/\\(.)/gs, (_all, escaped: string) => escapes.get(escaped) ?? escaped);

/** Reads one literal; where it is none, throws as Python would: by the first thing that it cannot read. */
class LiteralReader {
  readonly #tokens: string[] = [];
  #next = 0;

  constructor(text: string) {
    token.lastIndex = 0;
    while (token.lastIndex < text.trimEnd().length) {
      const at = token.lastIndex;
      const found = token.exec(text);
      if (found === null) throw new SyntaxError(`invalid syntax at ${at}: ${text.slice(at, at + 20)}`);
      this.#tokens.push(found[0].trim());
    }
  }

  whole(): unknown {
    const value = this.#value();
    if (this.#next < this.#tokens.length) throw new SyntaxError(`unexpected ${this.#tokens[this.#next]}`);
    return value;
  }

  #take(): string {
    const taken = this.#tokens[this.#next];
    if (taken === undefined) throw new SyntaxError('unexpected end: was the text cut?');
    this.#next += 1;
    return taken;
  }

  #value(): unknown {
    const first = this.#take();
    if (first === '[') return this.#until(']', () => this.#value());
    if (first === '{') return Object.fromEntries(this.#until('}', () => this.#entry()));
    if (/^['"]/.test(first)) return unquoted(first);
    if (constants.has(first)) return constants.get(first);
    if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(first)) return Number(first);
    throw new ReferenceError(`name '${first}' is not defined`);
  }

  #entry(): [string, unknown] {
    const key = String(this.#value());
    if (this.#take() !== ':') throw new SyntaxError(`no value for ${key}`);
    return [key, this.#value()];
  }

  #until<T>(end: string, read: () => T): T[] {
    const values: T[] = [];
    while (this.#tokens[this.#next] !== end) {
      values.push(read());
      if (this.#tokens[this.#next] === ',') this.#next += 1;
      else if (this.#tokens[this.#next] !== end) throw new SyntaxError(`unexpected ${this.#take()}`);
    }
    this.#next += 1;
    return values;
  }
}

/** @throws SyntaxError, ReferenceError where it is no literal */
export const evaluatePython = (text: string): unknown => new LiteralReader(text).whole();
