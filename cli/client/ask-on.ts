/** A question at a terminal. Ctrl-C ends the command as at any other time, and Ctrl-D is no answer. */
import { createInterface } from 'node:readline/promises';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly stop: AbortSignal;
  /** Told of Ctrl-C, since the terminal tells its reader alone; it aborts `stop`. */
  readonly interrupt: () => void;
}

/** @throws the reason of `stop` */
export const askOn = async (question: string, { input, output, stop, interrupt }: Terminal): Promise<string> => {
  const reader = createInterface({ input, output });
  reader.once('SIGINT', interrupt);
  try {
    return await reader.question(question, { signal: stop });
  } catch {
    output.write('\n');
    stop.throwIfAborted();
    return '';
  } finally {
    reader.close();
  }
};
