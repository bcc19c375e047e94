/** The named secrets of the service, which requests of the action plug-in `http` may carry in their headers. */
import { type Static, Type } from '@sinclair/typebox';
import { readAnew } from '../../../outgoing/read-anew';
import { type AllowedSource, allows, parseAllowedSource } from '../../addresses/allowed-source';
import { judgeBy } from '../judge-metadata';
import { fillText, namesIn, type Values } from './fill';

const closed = { additionalProperties: false } as const;

const schema = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  Type.Object({ value: Type.String({ minLength: 1 }), for: Type.String({ minLength: 1 }) }, closed),
  closed,
);
type SecretFile = Static<typeof schema>;

const judge = judgeBy(schema);

export interface HttpSecret {
  readonly value: string;
  /** It is sent to this address, and to those under it, and nowhere else. */
  readonly source: AllowedSource;
}

export type HttpSecrets = ReadonlyMap<string, HttpSecret>;

/** @throws Error where the text is no list of secrets; it says nothing of their values */
export const parseSecrets = (text: string): HttpSecrets => {
  const judged = judge(jsonIn(text));
  if ('fault' in judged) throw new Error(`the file of PARLEY_HTTP_SECRETS_FILE ${judged.fault}`);
  return new Map(Object.entries(judged.value).map(([name, secret]) => [name, asSecret(name, secret)]));
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the file of PARLEY_HTTP_SECRETS_FILE is not JSON');
  }
};

const asSecret = (name: string, { value, for: address }: SecretFile[string]): HttpSecret => {
  const source = parseAllowedSource(address);
  if (source === undefined) {
    throw new Error(
      `the file of PARLEY_HTTP_SECRETS_FILE: "for" of ${name} must be an address such as https://awx.example.org/`,
    );
  }
  return { value, source };
};

/** Reads the file with each call, because whoever renews a secret replaces it. @throws Error where it is wrong now */
export const openSecrets = (file: string | undefined): (() => HttpSecrets) => {
  if (file === undefined) return () => new Map();
  const read = readAnew(file);
  parseSecrets(read());
  return () => parseSecrets(read());
};

export type FilledHeaders = { readonly headers: Values } | { readonly because: string };

/** Fills values and secrets into headers. */
export const fillHeaders = (
  headers: Values,
  values: Values,
  { secrets, url }: { readonly secrets: HttpSecrets; readonly url: URL },
): FilledHeaders => {
  const filled: Record<string, string> = { ...values };
  for (const name of Object.values(headers)
    .flatMap(namesIn)
    .filter((one) => one.startsWith('secret.'))) {
    const secret = secrets.get(name.slice('secret.'.length));
    if (secret === undefined) return { because: `{{ ${name} }} is not in the file of PARLEY_HTTP_SECRETS_FILE` };
    if (!allows(secret.source, url)) return { because: `{{ ${name} }} is not for ${url.origin}` };
    filled[name] = secret.value;
  }
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fillText(text, filled)])),
  };
};
