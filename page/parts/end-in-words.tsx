/** An end that is expected, with its range: of a session, and of a plan. */
import { InTime, Moment, Period } from './times';

interface ExpectedEnd {
  readonly end: { readonly earliest: string; readonly expected: string; readonly latest: string };
  readonly seconds: number;
  readonly atMs: number;
}

export const EndInWords = ({ end, seconds, atMs }: ExpectedEnd) => (
  <>
    <p class="big">
      <InTime seconds={seconds} atMs={atMs} />
    </p>
    <p>
      about <Moment at={end.expected} />, within <Period from={end.earliest} to={end.latest} beside={end.expected} />
    </p>
  </>
);
