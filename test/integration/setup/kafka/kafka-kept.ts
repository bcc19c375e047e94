/**
 * The results of a broker's first start that later starts share, beside its jars in the user's cache: a data folder as
 * Kafka's tool formats it, and the classes as Java has read and checked them. Each costs a second of a processor else.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const formattedData = (jars: string): string => path.join(`${jars}-kept`, 'formatted');
const readClasses = (jars: string): string => path.join(`${jars}-kept`, 'classes.jsa');

/** Under a name of its own first: other processes do the same at the same time, and find it whole or not at all. */
const keep = async (from: string, to: string): Promise<void> => {
  const growing = `${to}-${process.pid}-${Math.random()}`;
  await mkdir(path.dirname(to), { recursive: true });
  await cp(from, growing, { recursive: true });
  await rename(growing, to).catch(() => rm(growing, { recursive: true, force: true }));
};

/** Formats a data folder, the first time with the tool. */
export const formatOnce = async (jars: string, dataFolder: string, format: () => Promise<unknown>): Promise<void> => {
  const kept = formattedData(jars);
  if (existsSync(kept)) {
    await cp(kept, dataFolder, { recursive: true });
    return;
  }
  await format();
  await keep(dataFolder, kept);
};

interface SharedClasses {
  /** Java's options: to use the classes, or to write them down at the end. */
  readonly options: readonly string[];
  /** To be called when Java has ended. */
  readonly keepWritten: () => Promise<void>;
}

/** Java goes on without classes that another version of it has written. */
export const shareClasses = (jars: string, folder: string): SharedClasses => {
  const kept = readClasses(jars);
  if (existsSync(kept)) {
    return { options: [`-XX:SharedArchiveFile=${kept}`], keepWritten: () => Promise.resolve() };
  }
  const written = path.join(folder, 'classes.jsa');
  const keepWritten = async (): Promise<void> => {
    if (existsSync(written)) await keep(written, kept);
  };
  return { options: [`-XX:ArchiveClassesAtExit=${written}`], keepWritten };
};
