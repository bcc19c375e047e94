/** Says whether this machine can run nodes with real kubelets: the tests on them are left out elsewhere, in words. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const works = (command: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const needs: readonly { readonly isMet: () => boolean; readonly words: string }[] = [
  { isMet: () => process.platform === 'linux', words: 'Linux' },
  { isMet: () => process.getuid?.() === 0, words: 'root, for namespaces, mounts and cgroups' },
  { isMet: () => existsSync('/sys/fs/cgroup/memory'), words: 'cgroup v1' },
  {
    isMet: () => works('unshare', '--mount', '--net', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'none', '/mnt'),
    words: 'the right to make namespaces and to mount in them',
  },
  { isMet: () => works('apt-get', '--version'), words: "Debian's apt-get, which brings runc" },
  { isMet: () => works('ip', '-V') && works('nsenter', '--version'), words: 'iproute2 and nsenter' },
];

/** What is missing here. Undefined: kubelets can run. */
export const whyNoKubelets = (): string | undefined => {
  const missing = needs.find(({ isMet }) => !isMet());
  return missing && `tests on real kubelets need ${missing.words}`;
};
