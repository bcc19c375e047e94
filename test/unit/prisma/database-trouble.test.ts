import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { isDatabaseAway, troubleOf } from '../../../prisma/database-trouble';

/** As the adapter tells an error of PostgreSQL that it knows nothing special of. */
const ofPostgres = (originalCode: string) =>
  new DriverAdapterError({
    ...{ kind: 'postgres', code: originalCode, severity: 'ERROR', message: 'no', originalCode },
    ...{ detail: undefined, column: undefined, hint: undefined },
  });

/** As pg tells one, while it connects or for a migration. */
const withCode = (code: string) => Object.assign(new Error('no'), { code });

describe('the database is away, and not the fault of the request', () => {
  it.each([
    ['08006', 'has ended the connection'],
    ['25006', 'only reads'],
    ['28P01', 'refuses the user or the password'],
    ['28000', 'refuses the user or the password'],
    ['3D000', 'does not have the database'],
    ['40001', 'gave no lock in time'],
    ['40P01', 'gave no lock in time'],
    ['55P03', 'gave no lock in time'],
    ['53100', 'has no space left on its disk'],
    ['53200', 'lacks memory'],
    ['53300', 'had no connection free'],
    ['55000', 'does not accept connections'],
    ['57P01', 'was stopped'],
    ['57P03', 'is starting or stopping'],
    ['58030', 'fails on its own files'],
    ['XX001', 'has a fault of its own'],
  ])('by SQLSTATE %s: it %s', (code, words) => {
    for (const error of [ofPostgres(code), withCode(code)]) expect(troubleOf(error)).toContain(words);
  });

  it.each([
    ['ECONNREFUSED', 'does not answer'],
    ['EAI_AGAIN', 'cannot be found by its name'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'could not agree on TLS'],
    ['CERT_HAS_EXPIRED', 'could not agree on TLS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'could not agree on TLS'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'could not agree on TLS'],
  ])('by the code %s of the connection: it %s', (code, words) => {
    expect(troubleOf(withCode(code))).toContain(words);
  });

  it('by what the adapter calls it', () => {
    expect(troubleOf(new DriverAdapterError({ kind: 'TlsConnectionError', reason: 'self-signed' }))).toContain('TLS');
  });
});

it.each(['23505', '22P02', '42P01', '25P02', 'P2002', 'ENOSPC'])('it is not away by %s', (code) => {
  expect(isDatabaseAway(ofPostgres(code))).toBe(false);
  expect(isDatabaseAway(withCode(code))).toBe(false);
});
