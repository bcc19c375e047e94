/** An end that is expected, with its range: of a session, and of a plan. */
import { InTime, Moment } from './times';

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
      about <Moment at={end.expected} />, between <Moment at={end.earliest} /> and <Moment at={end.latest} />
    </p>
  </>
);
