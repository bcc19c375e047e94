/** A real Keystone for a test file, with a user for each kind of caller, and the service's identity on it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { Identity } from '../../../api/identity/identity';
import { type OpenedIdentity, openIdentity } from '../../../api/identity/open-identity';
import { loadSettings } from '../../../config/settings';
import { type KeystoneRig, type RigUser, startKeystone } from '../../openstack/rig/keystone-rig';
import { otherProject, ownProject } from './api-under-test';

const withoutDashes = (uuid: string): string => uuid.replaceAll('-', '');

const projects = [
  { id: withoutDashes(ownProject), name: 'own' },
  { id: withoutDashes(otherProject), name: 'other' },
  { id: '33333333333343338333333333333333', name: 'service' },
];

const users: RigUser[] = [
  // The service itself: it may check tokens and nothing else.
  { name: 'parley', projects: { service: ['service'] } },
  { name: 'operator', projects: { admin: ['admin'] }, domain: ['admin'], system: ['admin'] },
  { name: 'own', projects: { own: ['member'] } },
  { name: 'other', projects: { other: ['member'] } },
  { name: 'reader', projects: { own: ['reader'] } },
];

const logins = { admin: ['operator', 'admin'], own: ['own', 'own'], other: ['other', 'other'] } as const;

export interface OpenedOnKeystone extends OpenedIdentity {
  /** All that it has logged. */
  readonly logged: readonly string[];
}

/** @param environment changes to the service's settings */
export const openOn = async (rig: KeystoneRig, environment: Readonly<Record<string, string>> = {}) => {
  const logged: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const settings = loadSettings({
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    PARLEY_AUTH: 'keystone',
    ...rig.environmentOf('parley', 'service'),
    ...environment,
  });
  // The Keystone of the tests serves one request after the other, on a busy machine slowly.
  return { ...(await openIdentity(settings, { logger, answerSeconds: 120 })), logged };
};

export const aKeystone = ({ tokenSeconds = 3_600 } = {}) => {
  let folder: string;
  let rig: KeystoneRig;
  let opened: OpenedOnKeystone;
  const tokens = new Map<string, Promise<string>>();

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-keystone-'));
    rig = await startKeystone({ folder, projects, users, tokenSeconds });
    opened = await openOn(rig);
  });
  afterAll(async () => {
    await rig.stop();
    await rm(folder, { recursive: true, force: true });
  });

  return {
    rig: (): KeystoneRig => rig,
    identity: (): Identity => opened.identity,
    /** The same token each time. */
    tokenOf: (caller: keyof typeof logins): Promise<string> => {
      const [user, project] = logins[caller];
      const token = tokens.get(caller) ?? rig.token(user, { project });
      tokens.set(caller, token);
      return token;
    },
  };
};
