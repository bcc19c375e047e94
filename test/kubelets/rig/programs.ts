/** What runs on a node: kubelet and containerd, Debian's runc and network plug-ins, and two images made here. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, fillInCache } from '../../../cli/stack/cache';
import { findOrGet, ofContainerd, ofKubernetes } from '../../kubernetes/rig/programs';
import { distribution, getDebianPackages } from '../../run/debian-packages';
import { makeImages } from './images';

/** The folders that a node mounts. */
export interface NodePrograms {
  readonly kubernetes: string;
  readonly containerd: string;
  /** With the packages' own folders below it. */
  readonly debian: string;
  readonly images: string;
}

const debianPackages = ['runc', 'containernetworking-plugins', 'busybox-static'];

const findDebian = async (): Promise<string> => {
  const folder = path.join(cacheFolder(process.env), `kubelet-debian-${distribution()}`);
  if (!existsSync(folder)) {
    await fillInCache(folder, (growing) =>
      getDebianPackages(growing, { packages: debianPackages, withTheirNeeds: false }),
    );
  }
  return path.join(folder, 'root');
};

const findImages = async (debian: string): Promise<string> => {
  const made = [path.join(__dirname, 'images.ts'), path.join(__dirname, 'app.sh')].map((file) => readFileSync(file));
  const version = createHash('sha256').update(Buffer.concat(made)).digest('hex').slice(0, 12);
  const folder = path.join(cacheFolder(process.env), `kubelet-images-${version}`);
  if (!existsSync(folder))
    await fillInCache(folder, (growing) => makeImages(growing, path.join(debian, 'bin/busybox')));
  return folder;
};

export const nodePrograms = async (): Promise<NodePrograms> => {
  const kubelet = await findOrGet(ofKubernetes('kubelet', 'kubelet'));
  const containerd = await findOrGet(ofContainerd('containerd'));
  for (const beside of ['containerd-shim-runc-v2', 'ctr']) await findOrGet(ofContainerd(beside));
  const debian = await findDebian();
  return {
    kubernetes: path.dirname(kubelet),
    containerd: path.dirname(containerd),
    debian,
    images: await findImages(debian),
  };
};
