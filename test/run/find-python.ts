/** Finds a Python that can make virtual environments. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Names under which a fitting Python may be on PATH; the Makefile looks for the same. */
const candidates = [process.env['PYTHON'] ?? 'python3.11', 'python3.12', 'python3.13', 'python3'];

/** The program that is run here ends with an error where Python is older, or cannot make environments. */
const isRecentPython = async (command: string): Promise<boolean> => {
  try {
    await run(command, ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))']);
    return true;
  } catch {
    return false;
  }
};

/** @throws Error that says what to install and why */
export const findPython = async (neededBy: string): Promise<string> => {
  for (const command of candidates) if (await isRecentPython(command)) return command;
  throw new Error(`Python 3.11 or later with venv is missing (on PATH, or named in PYTHON): ${neededBy}`);
};
