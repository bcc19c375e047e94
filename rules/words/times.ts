/** Times, counts and short IDs as text. */
export const shortId = (id: string): string => id.slice(0, 8);

const units = [
  { letter: 'd', seconds: 86_400 },
  { letter: 'h', seconds: 3_600 },
  { letter: 'm', seconds: 60 },
  { letter: 's', seconds: 1 },
] as const;

/** The two largest units: 1d4h, 3h5m, 10m24s, 8s. */
export const duration = (seconds: number): string => {
  let left = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const { letter, seconds: size } of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (parts.length > 0 || count > 0 || letter === 's') parts.push(count === 0 ? '' : `${count}${letter}`);
  }
  return parts.slice(0, 2).join('') || '0s';
};

export const ageOf = (time: string, nowMs: number): string => duration((nowMs - Date.parse(time)) / 1000);

export const left = (seconds: number | null): string => (seconds === null ? '' : duration(seconds));

interface ExpectedEnd {
  readonly seconds_left: { readonly earliest: number; readonly expected: number; readonly latest: number } | null;
  readonly ends_at: { readonly expected: string } | null;
}

/** `in 10m24s (5m46s to 15m46s)` */
export const endInWords = ({ seconds_left: seconds }: Pick<ExpectedEnd, 'seconds_left'>): string =>
  seconds === null
    ? 'not known'
    : `in ${duration(seconds.expected)} (${duration(seconds.earliest)} to ${duration(seconds.latest)})`;

export const clockOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
