/** Metrics in the text form of Prometheus, as a scraper reads them. */

export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly ScrapedSample[];
}

interface ScrapedSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].flatMap(([, name, value]) =>
      // The bound of a histogram's bucket.
      name === 'le' ? [] : [[name!, value!]],
    ),
  );

const samplesOf = (name: string, lines: readonly string[]): ScrapedSample[] =>
  lines.flatMap((line) => {
    const [, sample, labels = '', value] = /^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return sample === name ? [{ labels: labelsIn(labels), value: Number(value) }] : [];
  });

export const scraped = (text: string): ScrapedMetric[] => {
  const lines = text.split('\n');
  return lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    return name === undefined || type === undefined ? [] : [{ name, type, samples: samplesOf(name, lines) }];
  });
};
