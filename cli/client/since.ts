/** Times as people give them to commands: 30m, 1h, 7d ago, or a time. */
import { usageFailure } from './exit';

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws CommandFailure where it is neither */
export const sinceTime = (text: string, nowMs: number): Date => {
  const ago = /^(?<number>\d{1,6})(?<unit>[smhd])$/.exec(text)?.groups;
  if (ago !== undefined) return new Date(nowMs - Number(ago['number']) * (unitMs[ago['unit'] ?? ''] ?? 0));
  const time = new Date(
    /[zZ]$|[+-]\d\d:?\d\d$/.test(text) || !text.includes(':') ? text : `${text.replace(' ', 'T')}Z`,
  );
  if (Number.isNaN(time.getTime())) throw usageFailure(`${text} is neither a time nor a length such as 30m, 1h or 7d`);
  return time;
};
