/** A history as a small file that says nothing of the machine it was recorded on. */
import { type History, historyToJSON } from '@temporalio/common/lib/proto-utils';

/** The worker of a task, and places in source files: a replay needs neither. */
const droppedKeys = new Set(['identity', 'stackTrace', 'workerVersion', 'binaryChecksum', 'taskId']);

export const compactHistory = (history: History): string => {
  const { events } = JSON.parse(historyToJSON(history)) as { events: object[] };
  const lines = events.map((event) => JSON.stringify(event, withoutDropped));
  return `{"events":[\n${lines.join(',\n')}\n]}\n`;
};

const withoutDropped = (key: string, value: unknown): unknown => (droppedKeys.has(key) ? undefined : value);
