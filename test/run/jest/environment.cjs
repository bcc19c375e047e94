// Jest's own environment gives each test file a realm of its own (a `vm` context), so every file has to evaluate all
// packages anew, and everything in it reaches globals by interceptors. Here all files of a worker of Jest run in the
// process's own realm. What a file changes there is put back when it is over.
const { appendFileSync } = require('node:fs');
const path = require('node:path');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { processorSeconds } = require('../processor-time.ts');

/** Where Jest keeps what belongs to one file, besides symbols that nobody else knows. Those of packages stay. */
const jestSymbols = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', '$$jest-matchers-object'];

const symbolsOfFile = () =>
  Object.getOwnPropertySymbols(globalThis).filter((symbol) => {
    const name = Symbol.keyFor(symbol);
    return name === undefined || jestSymbols.includes(name);
  });

/** @returns what puts it back */
const rememberEnvironmentVariables = () => {
  const before = { ...process.env };
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  };
};

/** @returns what puts it back */
const rememberGlobals = () => {
  const before = new Set(symbolsOfFile());
  const { console } = globalThis;
  const { exit } = process;
  return () => {
    for (const key of symbolsOfFile()) if (!before.has(key)) delete globalThis[key];
    Object.assign(globalThis, { console });
    process.exit = exit;
  };
};

/**
 * Where a run of everything has each file's cost noted (run-all.ts). Processes that a file started count when they have
 * ended; what the shared services did for it does not.
 *
 * @returns what notes it
 */
const rememberCost = ({ rootDir }, { testPath }) => {
  const before = processorSeconds();
  const { PARLEY_TEST_COSTS: noted } = process.env;
  return () => {
    if (noted === undefined || before === undefined) return;
    const cost = { file: path.relative(rootDir, testPath), processorSeconds: processorSeconds() - before };
    appendFileSync(noted, `${JSON.stringify(cost)}\n`);
  };
};

module.exports = class SharedRealm {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  #putBack = [rememberEnvironmentVariables(), rememberGlobals()];

  constructor({ globalConfig, projectConfig: config }, context) {
    this.#putBack.push(rememberCost(globalConfig, context));
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Nobody compiles in it (runtime.cjs). */
  getVmContext() {
    return globalThis;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const putBack of this.#putBack) putBack();
  }
};
