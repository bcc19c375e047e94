/** A certificate of an authority that nobody knows, for services behind TLS on 127.0.0.1. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { programFile, pythonWithOpenStack } from './python-packages';

export interface Certificate {
  /** Path of the certificate (PEM), which is its own authority's. */
  readonly file: string;
  readonly cert: string;
  readonly key: string;
}

export const makeCertificate = async (folder: string): Promise<Certificate> => {
  const [file, keyFile] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')];
  await promisify(execFile)(await pythonWithOpenStack(), [programFile('make_certificate'), file, keyFile]);
  return { file, cert: await readFile(file, 'utf8'), key: await readFile(keyFile, 'utf8') };
};
