// The packages of a production install: the dependencies in package.json and their dependencies, without those that are
// never loaded (left-out.mjs), as they lie in node_modules.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { leftOutDependencies } from './left-out.mjs';

const readPackage = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Looks like Node.js: in the folder's own node_modules, then in those further up. */
const findPackage = (from, name, root) => {
  for (let folder = from; folder.startsWith(root); folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(found, 'package.json'))) return found;
  }
  return undefined;
};

const isLoaded = (of, name) => !leftOutDependencies.some((rule) => rule.of.test(of) && rule.names.test(name));

const neededBy = ({ name: of, dependencies = {}, optionalDependencies = {}, peerDependencies = {}, ...rest }) => {
  const { peerDependenciesMeta = {} } = rest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const isOptional = (name) => name in optionalDependencies;
  const names = [...new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers])];
  return names.filter((name) => isLoaded(of, name)).map((name) => ({ name, isOptional: isOptional(name) }));
};

/** @returns {{ folder: string, name: string, version: string, license: string }[]} by folder, relative to the root */
export const productionPackages = (root) => {
  const found = new Map();
  const visit = (folder, manifest) => {
    for (const { name, isOptional } of neededBy(manifest)) {
      const next = findPackage(folder, name, root);
      if (next === undefined && isOptional) continue;
      if (next === undefined) throw new Error(`${name}, which ${manifest.name} needs, is not installed: npm ci`);
      if (found.has(next)) continue;
      const itsOwn = readPackage(next);
      found.set(next, itsOwn);
      visit(next, itsOwn);
    }
  };
  visit(root, readPackage(root));
  return [...found]
    .map(([folder, { name, version, license }]) => ({ folder: path.relative(root, folder), name, version, license }))
    .sort((one, other) => (one.folder < other.folder ? -1 : 1));
};
