/** A rig whose sessions may download from a package server of its own, into a folder that goes when it stops. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveHost } from '../../../plugins/addresses/resolve-host';
import { createDownloads, type Downloads } from '../../../plugins/downloads/downloads';
import { createPackagePolicy } from '../../../plugins/downloads/package-sources';
import { type Admin, anAdmin } from '../rig/admin';
import { type Rig, type RigOptions, startRig } from '../rig/rig';
import { type PackageServer, startPackageServer } from './package-server';

export interface PackageRig {
  readonly rig: Rig;
  readonly admin: Admin;
  readonly server: PackageServer;
  /** The folder of sessions' files on this machine. */
  readonly root: string;
  /** The settings that let sessions download, for further processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** The files of sessions as a worker on another machine has them: in a folder of its own. */
  downloadsIn(otherRoot: string): Downloads;
  stop(): Promise<void>;
}

export const startPackageRig = async (options: RigOptions): Promise<PackageRig> => {
  const server = await startPackageServer();
  const root = await mkdtemp(path.join(tmpdir(), 'parley-packages-'));
  const environment = { PARLEY_DOWNLOAD_ALLOW: `${server.url}/`, PARLEY_DOWNLOAD_DIR: root };
  const rig = await startRig({ ...options, environment: { ...environment, ...options.environment } });
  return {
    rig,
    admin: anAdmin(rig.url),
    server,
    root,
    environment,
    downloadsIn(otherRoot) {
      const policy = createPackagePolicy(rig.settings.downloadAllow);
      const direct = { resolveHost, proxies: {}, proxyResolves: false };
      return createDownloads({ root: otherRoot, limits: rig.settings, policy, ...direct });
    },
    async stop() {
      try {
        await rig.stop();
      } finally {
        await server.stop();
        await rm(root, { recursive: true, force: true });
      }
    },
  };
};
