/** The broker's jars, copied by Maven into the user's cache once. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../../../cli/stack/cache';

const pom = path.join(__dirname, 'pom.xml');
const copyMs = 10 * 60_000;

const copyJars = async (folder: string): Promise<void> => {
  const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', '-DincludeScope=runtime'];
  try {
    await promisify(execFile)('mvn', [...args, `-DoutputDirectory=${folder}`], { timeout: copyMs });
  } catch (cause) {
    throw new Error(
      'the Kafka broker that the integration tests need could not be got from Maven Central: ' +
        'install Java 17 and Maven (`mvn`), and see that it reaches a Maven repository',
      { cause },
    );
  }
};

/** @returns the folder that holds the jars */
export const kafkaJars = async (): Promise<string> => {
  const digest = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const folder = path.join(cacheFolder(process.env), `kafka-${digest}`);
  if (!existsSync(folder)) await fillInCache(folder, copyJars);
  return folder;
};
