import { readFileSync } from 'node:fs';

/**
 * Reads a file now, and again with each call, since whoever issues certificates replaces their files. While the file
 * cannot be read or is empty, the text that was read before counts.
 *
 * @throws Error of the file system when the file cannot be read now
 */
export const readAnew = (file: string): (() => string) => {
  let last = readFileSync(file, 'utf8');
  return () => {
    try {
      last = readFileSync(file, 'utf8') || last;
    } catch {
      // It is being replaced.
    }
    return last;
  };
};
