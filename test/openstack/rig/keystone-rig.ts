/**
 * A real Keystone for tests, in a folder and on a port of its own, with projects and users as a test wants them. What a
 * test does to it goes over its API.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  endLeftOver,
  type LeftOverProcess,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from '../../../cli/stack/service-process';
import { callJson, type Method } from './json-client';
import { logIn, type TokenFor } from './log-in';
import { programFile, pythonWithOpenStack } from './python-packages';

const readyMs = 300_000;

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

export interface KeystoneRig {
  /** Ends in /v3; the same after a restart. */
  readonly authUrl: string;
  /** The password of every user. */
  readonly password: string;
  /** The OS_* variables with which a user logs in to a project. */
  environmentOf(user: string, project: string): Readonly<Record<string, string>>;
  token(user: string, scope: TokenFor): Promise<string>;
  /** Calls the API as `admin`, and fails unless it succeeds. */
  asAdmin(method: Method, path: string, options?: CallOptions): Promise<unknown>;
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

const leftOverIn = (folder: string): LeftOverProcess => ({
  pidFile: path.join(folder, 'keystone.pid'),
  mark: folder,
  stopSignal: 'SIGTERM',
});

/** Ends a Keystone that was left over in the folder. */
export const endLeftOverKeystone = (folder: string): Promise<void> => endLeftOver(leftOverIn(folder));

const startServer = async (folder: string): Promise<ServiceProcess> => {
  const ready = path.join(folder, 'ready.json');
  await rm(ready, { force: true });
  const logFile = path.join(folder, 'server.log');
  const server = await startProcess({
    name: 'Keystone',
    command: await pythonWithOpenStack(),
    args: [programFile('keystone_service'), folder],
    // no compiled files beside the sources
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
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

/** @throws Error with the end of its log, where it does not start */
export const startKeystone = async (options: KeystoneRigOptions): Promise<KeystoneRig> => {
  const { folder } = options;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'rig.json'), describeRig(options, 0));
  let server = await startServer(folder);
  const port = await portOf(folder);
  await writeFile(path.join(folder, 'rig.json'), describeRig(options, port));
  const authUrl = `http://127.0.0.1:${port}/v3`;

  const tokenOf = async (user: string, scope: TokenFor): Promise<string> =>
    (await logIn({ keystone: authUrl, password }, { user, scope })).token;
  const asAdmin = async (method: Method, at: string, { body, headers }: CallOptions = {}): Promise<unknown> => {
    const token = await tokenOf('admin', { project: 'admin' });
    return (await callJson(`${authUrl}${at}`, { method, headers: { 'x-auth-token': token, ...headers }, body })).body;
  };

  return {
    authUrl,
    password,
    environmentOf: (user, project) => ({
      OS_AUTH_URL: authUrl,
      OS_USERNAME: user,
      OS_PASSWORD: password,
      OS_PROJECT_NAME: project,
    }),
    token: tokenOf,
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
