/**
 * A real Keystone for tests, in a folder and on a port of its own, with projects and users as a test wants them. What a
 * test does to it goes over its API.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  endLeftOver,
  type LeftOver,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from '../../cli/stack/service-process';
import { pythonEnvironment } from './python-environment';

const script = path.join(__dirname, 'keystone_rig.py');
const readyMs = 120_000;

export interface RigProject {
  /** 32 hex digits. */
  readonly id: string;
  readonly name: string;
}

/** All users have one password, and live in the default domain, as do the projects. */
export interface RigUser {
  readonly name: string;
  /** Roles by the project's name; `admin` is a project too. Roles: admin, manager, member, reader, service. */
  readonly projects?: Readonly<Record<string, readonly string[]>>;
  /** Roles in the default domain. */
  readonly domain?: readonly string[];
  /** Roles in the system. */
  readonly system?: readonly string[];
}

export interface KeystoneRigOptions {
  readonly folder: string;
  readonly projects: readonly RigProject[];
  /** Besides `admin`, who has the role admin in the project admin and in the system. */
  readonly users: readonly RigUser[];
  /** Life of every token, 3600 by default. */
  readonly tokenSeconds?: number;
}

/** What a token is for: a project by its name, the default domain, the system, or nothing. */
export type TokenFor = { readonly project: string } | 'domain' | 'system' | 'nothing';

export interface KeystoneRig {
  /** Ends in /v3; the same after a restart. */
  readonly authUrl: string;
  /** The OS_* variables with which a user logs in to a project. */
  environmentOf(user: string, project: string): Readonly<Record<string, string>>;
  token(user: string, scope: TokenFor): Promise<string>;
  /** Calls the API as `admin`, and fails unless it succeeds. */
  asAdmin(method: string, path: string, options?: CallOptions): Promise<unknown>;
  revoke(token: string): Promise<void>;
  /** Ends the process; its data stay. */
  stop(): Promise<void>;
  /** Starts it again on its data and port. */
  start(): Promise<void>;
}

export interface CallOptions {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const password = 'a password for tests';
const inDefault = { domain: { id: 'default' } };

const leftOverIn = (folder: string): LeftOver => ({
  pidFile: path.join(folder, 'keystone.pid'),
  mark: folder,
  stopSignal: 'SIGTERM',
});

/** Ends a Keystone that was left over in the folder. */
export const endLeftOverKeystone = (folder: string): Promise<void> => endLeftOver(leftOverIn(folder));

/** Its Python environment; making it takes a minute or two, once. */
export const keystonePython = (): Promise<string> =>
  pythonEnvironment({ requirements: path.join(__dirname, 'requirements.txt'), what: "the tests' Keystone" });

const startServer = async (folder: string): Promise<ServiceProcess> => {
  const ready = path.join(folder, 'ready.json');
  await rm(ready, { force: true });
  const logFile = path.join(folder, 'server.log');
  const server = await startProcess({
    name: 'Keystone',
    command: await keystonePython(),
    args: [script, folder],
    logFile,
    ...leftOverIn(folder),
  });
  await waitUntilReady(server, { isReady: () => Promise.resolve(existsSync(ready)), withinMs: readyMs, logFile });
  return server;
};

const portOf = async (folder: string): Promise<number> => {
  const text = await readFile(path.join(folder, 'ready.json'), 'utf8');
  return (JSON.parse(text) as { port: number }).port;
};

const describeRig = ({ projects, users, tokenSeconds = 3_600 }: KeystoneRigOptions, port: number): string =>
  JSON.stringify({ port, token_seconds: tokenSeconds, password, projects, users });

const scopeOf = (scope: TokenFor): object | 'unscoped' => {
  if (scope === 'domain') return { domain: { id: 'default' } };
  if (scope === 'system') return { system: { all: true } };
  return scope === 'nothing' ? 'unscoped' : { project: { name: scope.project, ...inDefault } };
};

const logIn = async (authUrl: string, user: string, scope: TokenFor): Promise<string> => {
  const identity = { methods: ['password'], password: { user: { name: user, password, ...inDefault } } };
  const response = await fetch(`${authUrl}/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: { identity, scope: scopeOf(scope) } }),
  });
  const token = response.headers.get('x-subject-token');
  if (token !== null) return token;
  throw new Error(`${user} cannot log in: ${response.status} ${await response.text()}`);
};

/** @throws Error with the end of its log, where it does not start */
export const startKeystone = async (options: KeystoneRigOptions): Promise<KeystoneRig> => {
  const { folder } = options;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'rig.json'), describeRig(options, 0));
  let server = await startServer(folder);
  const port = await portOf(folder);
  await writeFile(path.join(folder, 'rig.json'), describeRig(options, port));
  const authUrl = `http://127.0.0.1:${port}/v3`;

  const asAdmin = async (method: string, at: string, { body, headers }: CallOptions = {}): Promise<unknown> => {
    const token = await logIn(authUrl, 'admin', { project: 'admin' });
    const response = await fetch(`${authUrl}${at}`, {
      method,
      headers: { 'x-auth-token': token, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

  return {
    authUrl,
    environmentOf: (user, project) => ({
      OS_AUTH_URL: authUrl,
      OS_USERNAME: user,
      OS_PASSWORD: password,
      OS_PROJECT_NAME: project,
    }),
    token: (user, scope) => logIn(authUrl, user, scope),
    asAdmin,
    async revoke(token) {
      await asAdmin('DELETE', '/auth/tokens', { headers: { 'x-subject-token': token } });
    },
    stop: () => server.stop(),
    async start() {
      server = await startServer(folder);
    },
  };
};
