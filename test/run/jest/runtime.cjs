// How test files load modules, in the realm that they share (environment.cjs): packages are loaded by Node.js itself,
// once for all files of a worker of Jest. Our own modules are evaluated anew for each file, but compiled only once.
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const { compileFunction, constants } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const compiled = new Map();

const compile = (parameters, source, filename) => {
  const known = compiled.get(filename);
  if (known?.source === source) return known.run;
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const run = compileFunction(source, parameters, { filename, importModuleDynamically });
  compiled.set(filename, { source, run });
  return run;
};

const isOfPackage = (name) => !name.startsWith('.') && !path.isAbsolute(name) && !isBuiltin(name);

module.exports = class SharedRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    executor.compile = (source, filename) => compile(executor.injectedModuleParameters, source, filename);
  }

  requireModule(from, name, options, isActual) {
    if (name === undefined || options?.isInternalModule === true || !isOfPackage(name)) {
      return super.requireModule(from, name, options, isActual);
    }
    return createRequire(from)(name);
  }
};
