/**
 * The moments at which something is killed. The process in which a moment comes says so by a file and stands still
 * there; the test kills its victim, which may be another process, and lets the first one go on.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../../waiting/eventually';

export const moments = ['mid-move', 'reply', 'entering', 'admission'] as const;
/**
 * mid-move: the cloud has begun a move. reply: a reply about a host is committed, its sender does not know yet.
 * entering: a state is entered, its workflow does not know yet. admission: claims are committed, likewise.
 */
export type Moment = (typeof moments)[number];

const pollMs = 10;

const seen = (file: string): Promise<true> =>
  eventually({ what: `${file} is there`, pollMs }, () => Promise.resolve(existsSync(file) || undefined));

const reachedFile = (folder: string, moment: Moment): string => path.join(folder, `reached-${moment}`);
const goOnFile = (folder: string, moment: Moment): string => path.join(folder, `go-on-${moment}`);

/** Stands still, in the process, until told to go on, once; later calls, of other processes too, return at once. */
export const halt = async (folder: string, moment: Moment): Promise<void> => {
  try {
    await writeFile(reachedFile(folder, moment), '', { flag: 'wx' });
  } catch {
    return;
  }
  await seen(goOnFile(folder, moment));
};

/** Waits, in the test, for the moment. */
export const momentReached = (folder: string, moment: Moment): Promise<true> => seen(reachedFile(folder, moment));

/** Lets the process go on, if it still lives. The test calls it. */
export const goOn = (folder: string, moment: Moment): Promise<void> => writeFile(goOnFile(folder, moment), '');
