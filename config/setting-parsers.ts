/**
 * Parsers from the text of an environment variable to a typed value. A parser throws an `UnfitValue` whose message says
 * which value would fit. The reader of the table (config/settings.ts) adds the variable's name.
 */
import { isIP } from 'node:net';
import path from 'node:path';
import { parseProxy } from '../outgoing/proxies';
import { type AllowedNetwork, parseAllowedNetwork } from '../plugins/addresses/allowed-network';
import { type AllowedSource, parseAllowedSource } from '../plugins/addresses/allowed-source';
import { isUuid, uuidMeaning } from '../rules/cloud/id';
import { isLoopback } from './loopback';

export type Parser<T> = (text: string) => T;

/** The text cannot be the setting's value. The message completes "must be …". */
export class UnfitValue extends Error {
  override readonly name = 'UnfitValue';
}

interface NumberRange {
  readonly min: number;
  readonly max?: number;
}

const rangeText = ({ min, max }: NumberRange): string =>
  max === undefined ? `${String(min)} or more` : `from ${String(min)} to ${String(max)}`;

const isWithin = (value: number, { min, max = Number.MAX_SAFE_INTEGER }: NumberRange): boolean =>
  value >= min && value <= max;

export const integer =
  (range: NumberRange): Parser<number> =>
  (text) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (isWithin(value, range)) return value;
    throw new UnfitValue(`a whole number, ${rangeText(range)}`);
  };

export const positiveNumber: Parser<number> = (text) => {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && Number.isFinite(value)) return value;
  throw new UnfitValue('a number above 0, such as 1 or 2.5');
};

/** PostgreSQL counts with longer times too, but no clock does. */
const mostDays = 36_500;

/** A time in days; tests and trials keep records for parts of a day. */
export const days: Parser<number> = (text) => {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= mostDays) return value;
  throw new UnfitValue(`a number of days above 0 and at most ${String(mostDays)}, such as 90 or 0.5`);
};

/** A name or a secret that somebody else chose: any text. */
export const anyText: Parser<string> = (given) => given;

/** A fraction, above 0 and at most 1. */
export const share: Parser<number> = (text) => {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 1) return value;
  throw new UnfitValue('a number above 0 and at most 1, such as 0.25');
};

/** A file or folder. A relative path starts at the folder in which the process was started. */
export const filePath: Parser<string> = (given) => path.resolve(given);

/** Files as in a PATH: empty entries count for nothing. */
export const filePaths: Parser<readonly string[]> = (given) =>
  given
    .split(path.delimiter)
    .filter((each) => each !== '')
    .map((each) => path.resolve(each));

export const oneOf =
  <const T extends string>(...choices: readonly T[]): Parser<T> =>
  (given) => {
    const choice = choices.find((each) => each === given);
    if (choice !== undefined) return choice;
    throw new UnfitValue(choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`);
  };

/** A name that is valid as a Kafka topic and as the publisher in events: letters, digits and `._-`. */
export const plainName: Parser<string> = (given) => {
  if (/^[A-Za-z0-9._-]{1,200}$/.test(given)) return given;
  throw new UnfitValue('1 to 200 letters, digits, dots, dashes or underscores');
};

export const hostName: Parser<string> = (given) => {
  if (isIP(given) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(given)) return given;
  throw new UnfitValue('an IP address or a host name, such as 127.0.0.1');
};

const parsedUrl = (given: string, protocols: readonly string[]): URL | undefined => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  return url !== undefined && protocols.includes(url.protocol) && url.hostname !== '' ? url : undefined;
};

/** An http(s) address without a trailing slash, so that the service can append paths. */
export const httpUrl: Parser<string> = (given) => {
  const url = parsedUrl(given, ['http:', 'https:']);
  if (url !== undefined && url.search === '' && url.hash === '') return given.replace(/\/+$/, '');
  throw new UnfitValue('an http or https address without query, such as https://parley.example.org');
};

/** A proxy, also as `gateway.example.org`. */
export const proxyUrl: Parser<string> = (given) => {
  const proxy = parseProxy(given);
  if (proxy !== undefined) return proxy;
  throw new UnfitValue('the address of an http or https proxy, such as http://gateway.example.org');
};

/** The address of the service, with or without the `/v1` of its endpoints, without a trailing slash. */
export const serviceUrl: Parser<string> = (given) => httpUrl(given).replace(/\/v1$/, '');

const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));

/** An issuer of tokens. It is compared as a text, so the value is the text as it was given. */
export const issuerUrl: Parser<string> = (given) => {
  const url = parsedUrl(given, ['http:', 'https:']);
  if (url !== undefined && isSecure(url) && url.search === '' && url.hash === '') return given;
  throw new UnfitValue(
    'an https address without query, such as https://id.example.org/realms/cloud (http on this machine alone)',
  );
};

/** A list of texts, separated by commas. */
export const textList: Parser<readonly string[]> = (given) => {
  const texts = given.split(',').map((each) => each.trim());
  if (texts.every((text) => text !== '')) return texts;
  throw new UnfitValue('texts separated by commas, such as parley-admin,operator');
};

/** The names on the way to a value within JSON (RFC 6901). */
export const jsonPointer: Parser<readonly string[]> = (given) => {
  const [before, ...names] = given.split('/');
  const isPointer = before === '' && names.length > 0 && !/~(?![01])/.test(given);
  if (isPointer) return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  throw new UnfitValue('a JSON pointer, such as /realm_access/roles; / within a name is written ~1');
};

const signatures = ['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((bits) => family + bits));

/** Signatures by a private key. `none` and those by a secret (HS256) would let whoever knows the public key sign. */
export const signatureAlgorithms: Parser<readonly string[]> = (given) => {
  const names = given.split(',').map((each) => each.trim());
  if (names.every((name) => signatures.includes(name) || name === 'EdDSA')) return names;
  throw new UnfitValue(`some of ${signatures.join(', ')}, EdDSA, separated by commas`);
};

/** Keystone's address, with or without the version. The value has the version. */
export const keystoneUrl: Parser<string> = (given) => {
  const url = parsedUrl(given, ['http:', 'https:']);
  const isOlder = /\/v[12](\.\d+)?\/*$/.test(given);
  if (url === undefined || url.search !== '' || url.hash !== '' || isOlder) {
    throw new UnfitValue('the http or https address of Keystone version 3, such as https://cloud.example.org:5000/v3');
  }
  return `${given.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3`;
};

/** Keystone ignores the case of role names, so the value is in lower case. */
export const roleName: Parser<string> = (given) => given.toLowerCase();

export const postgresUrl: Parser<string> = (given) => {
  const url = parsedUrl(given, ['postgresql:', 'postgres:']);
  if (url !== undefined && url.pathname.length > 1) return given;
  throw new UnfitValue('postgresql://USER:PASSWORD@HOST:PORT/DATABASE');
};

const isAddress = (given: string): boolean => {
  const port = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/.exec(given)?.[1];
  return port !== undefined && isWithin(Number(port), { min: 1, max: 65_535 });
};

export const address: Parser<string> = (given) => {
  if (isAddress(given)) return given;
  throw new UnfitValue('HOST:PORT, such as 127.0.0.1:7233');
};

export const addressList: Parser<readonly string[]> = (given) => {
  const addresses = given.split(',').map((each) => each.trim());
  if (addresses.every(isAddress)) return addresses;
  throw new UnfitValue('HOST:PORT, several separated by commas, such as kafka-1:9092,kafka-2:9092');
};

/** An ID. The service sends it unchanged. */
export const uuid: Parser<string> = (given) => {
  if (isUuid(given)) return given;
  throw new UnfitValue(uuidMeaning);
};

const bytesPerUnit = new Map([
  ['', 1],
  ['B', 1],
  ['KiB', 1024],
  ['MiB', 1024 ** 2],
  ['GiB', 1024 ** 3],
]);

/** Bytes: `1048576`, `512 KiB` or `1 MiB`. */
export const byteCount: Parser<number> = (given) => {
  const [, amount, unit] = /^(\d+)\s*([A-Za-z]*)$/.exec(given) ?? [];
  const bytes = Number(amount) * (bytesPerUnit.get(unit ?? '') ?? Number.NaN);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new UnfitValue('a size above 0 in bytes, KiB, MiB or GiB, such as 1048576 or 1 MiB');
};

/** The addresses from which sessions may download packages; see plugins/addresses/allowed-source.ts. */
export const allowedSources: Parser<readonly AllowedSource[]> = (given) =>
  given.split(',').map((each) => {
    const source = parseAllowedSource(each.trim());
    if (source !== undefined) return source;
    throw new UnfitValue(
      'http or https addresses without query, separated by commas, such as https://packages.example.org/parley/ or ' +
        'https://*.example.org/; each allows what is under its path, and a host may begin with *.',
    );
  });

/** The addresses to which webhooks may be sent, and the private networks that their names may lead to. */
export interface AllowedReceivers {
  readonly sources: readonly AllowedSource[];
  readonly networks: readonly AllowedNetwork[];
}

export const allowedReceivers: Parser<AllowedReceivers> = (given) => {
  const entries = given.split(',').map((each) => each.trim());
  const networks = entries.flatMap((each) => parseAllowedNetwork(each) ?? []);
  const others = entries.filter((each) => parseAllowedNetwork(each) === undefined);
  const sources = others.flatMap((each) => parseAllowedSource(each) ?? []);
  if (sources.length === others.length && sources.length > 0) return { sources, networks };
  throw new UnfitValue(
    'http or https addresses without query, and networks, separated by commas, such as ' +
      'https://*.vnfm.example.org/,10.20.0.0/16; at least one is an address, which allows what is under its path',
  );
};
