// Loaded with `node --require`: lets a process of the tests run TypeScript as it is in the folders, so that it never
// runs what an earlier build has left. Hundreds of processes and threads of a run do: what swc makes of a text is kept.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const options = {
  swcrc: false,
  sourceMaps: 'inline',
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
};
const cache = path.join(module.path, '../../node_modules/.cache/run-typescript');
const { version } = require('@swc/core/package.json');
const keyOf = createHash('sha256').update(JSON.stringify([options, version]));

const readKept = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** Under a name of its own first: other processes do the same at the same time. */
const keep = (file, code) => {
  mkdirSync(cache, { recursive: true });
  const growing = `${file}.${process.pid}-${Math.random()}`;
  writeFileSync(growing, code);
  renameSync(growing, file);
};

const transform = (filename) => {
  const source = readFileSync(filename, 'utf8');
  const file = path.join(cache, `${keyOf.copy().update(`${filename}\0${source}`).digest('hex')}.js`);
  const kept = readKept(file);
  if (kept !== undefined) return kept;
  const { code } = require('@swc/core').transformSync(source, { ...options, filename });
  keep(file, code);
  return code;
};

// `await import('./file.js')` names the file that the compiler makes.
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...rest) => {
  const isOurs = request.startsWith('.') && request.endsWith('.js') && parent?.filename?.endsWith('.ts');
  const source = isOurs ? path.resolve(path.dirname(parent.filename), `${request.slice(0, -3)}.ts`) : '';
  return resolve(isOurs && existsSync(source) ? source : request, parent, ...rest);
};

require.extensions['.ts'] = (module, filename) => module._compile(transform(filename), filename);
