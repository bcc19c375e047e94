import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readBrokerAccess } from '../../../events/kafka-access';

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-kafka-access-'))));
afterAll(() => rmSync(folder, { recursive: true }));

it('each connection gets the certificates of that moment, and the last ones while they are replaced', () => {
  const file = path.join(folder, 'client.pem');
  writeFileSync(file, 'first');
  const { ssl } = readBrokerAccess({ kafkaTls: 'on', kafkaCert: file });
  const ofConnection = () => Object.assign({}, ssl); // as kafkajs does
  expect(ofConnection()).toMatchObject({ cert: 'first', ca: undefined });
  writeFileSync(file, 'second');
  expect(ofConnection()).toMatchObject({ cert: 'second' });
  rmSync(file);
  expect(ofConnection()).toMatchObject({ cert: 'second' });
});

it('a file that is missing at the start is a fault', () => {
  expect(() => readBrokerAccess({ kafkaTls: 'on', kafkaCa: path.join(folder, 'none') })).toThrow('ENOENT');
});
