/** The output of a process in lines: each is told, the last ones are kept. Bounded, whatever is written. */

const longestLine = 2_000;
const mostLines = 20;
const longestText = 4_000;

export interface LastLines {
  /** For one stream of output, whose lines are whole by themselves. */
  openStream(): LineStream;
  /** The last lines of all streams, within bounds; empty where nothing was written. */
  text(): string;
}

export interface LineStream {
  /** Takes a piece of output as it comes. */
  take(piece: string): void;
  /** The output is over: an unfinished line counts. */
  end(): void;
}

/** Control characters mean nothing in a record or a log, and the database stores no NUL. */
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
