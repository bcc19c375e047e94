/**
 * Servers that Nova cannot move for their project without its secrets, or that are bound to the machine: a virtual TPM,
 * encrypted memory or disks. Nova refuses the live migration, and a cold one would need the keys of the project's own
 * user, so that the server might not start again. Nova tells them by the flavor and, since 2.98, by the image.
 */
import type { NovaServer } from '../nova/answers';
import { imagePropertiesOf } from './server-image';

interface SecretRow {
  /** Extra specs of the flavor; properties of the image have the same names with `_` in place of `:`. */
  readonly specs: readonly string[];
  /** False: any value counts. */
  readonly isBoolean: boolean;
  /** Follows the extra spec, or the property, in words. */
  readonly what: string;
}

const rows: readonly SecretRow[] = [
  { specs: ['hw:tpm_version', 'hw:tpm_model'], isBoolean: false, what: 'a virtual TPM' },
  { specs: ['hw:mem_encryption'], isBoolean: true, what: 'encrypted memory' },
  { specs: ['hw:ephemeral_encryption'], isBoolean: true, what: 'encrypted disks' },
];

const truths: ReadonlySet<string> = new Set(['1', 't', 'true', 'on', 'y', 'yes']);

/** Nova since 2026.1 moves a virtual TPM live whose secret its hosts keep. */
const isKeptByHosts = ({ flavor }: NovaServer): boolean => flavor.extra_specs?.['hw:tpm_secret_security'] === 'host';

/** Why Nova does not move the server, in words that follow "since"; undefined: none of these is a reason. */
export const secretReason = (server: NovaServer): string | undefined => {
  const found = secretOf(server);
  return found === undefined || (found.isTpm && isKeptByHosts(server)) ? undefined : found.words;
};

/** Why the server must not be moved cold; undefined: none of these is a reason. */
export const whyNotCold = (server: NovaServer): string | undefined => secretOf(server)?.words;

interface Secret {
  readonly isTpm: boolean;
  readonly words: string;
}

const secretOf = (server: NovaServer): Secret | undefined => {
  const specs = server.flavor.extra_specs ?? {};
  const image = imagePropertiesOf(server) ?? {};
  for (const { specs: names, isBoolean, what } of rows) {
    const isTold = (value: string | undefined): boolean =>
      value !== undefined && (!isBoolean || truths.has(value.toLowerCase()));
    const spec = names.find((name) => isTold(specs[name]));
    const property = names.map((name) => name.replace(':', '_')).find((name) => isTold(image[name]));
    const isTpm = !isBoolean;
    if (spec !== undefined)
      return { isTpm, words: `its flavor ${server.flavor.original_name} gives it ${what} (${spec})` };
    if (property !== undefined) return { isTpm, words: `its image gives it ${what} (${property})` };
  }
  return undefined;
};
