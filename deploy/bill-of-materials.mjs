// Lists the contents of a production install: `npm run sbom` prints them in the form of CycloneDX, and `npm run
// licences` as packages by licence. Both lists are part of the install.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { productionPackages } from './production-packages.mjs';

const mostOutputBytes = 64 * 1024 * 1024;

/** npm's own bill has hashes and licences from the lock file. It also lists development packages. */
const billOfLockFile = (root) => {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: mostOutputBytes,
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return JSON.parse(stdout);
};

/** @param {{ name: string, version: string }[]} packages those that are shipped */
export const bill = (root, packages) => {
  const shipped = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const whole = billOfLockFile(root);
  const isShipped = (ref) => shipped.has(ref) || ref === whole.metadata.component['bom-ref'];
  const components = whole.components.filter(({ 'bom-ref': ref }) => isShipped(ref));
  const missing = [...shipped].filter((ref) => !components.some((each) => each['bom-ref'] === ref));
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(', ')}: run npm ci`);
  const dependencies = whole.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }));
  return { ...whole, components, dependencies };
};

export const licenceList = (root, packages) => {
  const byLicence = Map.groupBy(packages, ({ license }) => license ?? 'not named');
  const section = ([license, those]) =>
    [`## ${license}`, '', ...those.map(({ name, version }) => `- ${name} ${version}`), ''].join('\n');
  const { license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const opening = `# Licences\n\nParley is under ${license}. It contains, under their own licences:\n\n`;
  return opening + [...byLicence].sort().map(section).join('\n');
};

if (process.argv[1] === import.meta.filename) {
  const root = path.dirname(import.meta.dirname);
  const packages = productionPackages(root);
  const asBill = () => `${JSON.stringify(bill(root, packages), undefined, 2)}\n`;
  process.stdout.write(process.argv[2] === 'licences' ? licenceList(root, packages) : asBill());
}
