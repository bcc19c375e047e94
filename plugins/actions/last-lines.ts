/** The output of a process in lines: reports each line and keeps the last ones, within bounds. */

const longestLine = 2_000;
const mostLines = 20;
const longestText = 4_000;

export interface LastLines {
  /** Opens one stream of output, which is cut into lines of its own. */
  openStream(): LineStream;
  /** The last lines of all streams, within bounds; empty when nothing was written. */
  text(): string;
}

export interface LineStream {
  /** Takes the next piece of output. */
  take(piece: string): void;
  /** Ends the output: an unfinished line counts as a line. */
  end(): void;
}

/** Removes control characters: they mean nothing in a record or a log, and the database stores no NUL. */
const readable = (line: string): string => line.replace(/\p{Cc}/gu, ' ').trimEnd();

export const createLastLines = (tell: (line: string) => void): LastLines => {
  let kept: readonly string[] = [];
  const add = (raw: string): void => {
    const line = readable(raw);
    if (line === '') return;
    tell(line);
    kept = [...kept, line].slice(-mostLines);
  };
  return { openStream: () => createLineStream(add), text: () => kept.join('\n').slice(-longestText) };
};

const createLineStream = (add: (line: string) => void): LineStream => {
  let unfinished = '';
  return {
    take(piece) {
      const lines = (unfinished + piece).split('\n');
      unfinished = (lines.pop() ?? '').slice(0, longestLine);
      for (const line of lines) add(line.slice(0, longestLine));
    },
    end() {
      add(unfinished);
      unfinished = '';
    },
  };
};
