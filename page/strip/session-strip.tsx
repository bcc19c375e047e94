/** How far a session is and when it ends, as numbers and as two bars. */
import { phaseCounts } from '../../rules/words/phases';
import { noEndWords } from '../../rules/words/progress';
import { count, duration } from '../../rules/words/times';
import { workInWords } from '../../rules/words/work-done';
import type { Summary } from '../client/types';
import { nowMs } from '../live/clock';
import { type Seen, serviceNow } from '../live/count-down';
import { isAtWork } from '../live/readiness';
import { EndInWords } from '../parts/end-in-words';
import { Ago, Left, Moment } from '../parts/times';
import { EndBar } from './end-bar';
import { endScale } from './end-scale';
import { PhaseBar } from './phase-bar';

export const SessionStrip = ({ seen }: { readonly seen: Seen<Summary> }) => {
  const { body } = seen;
  return (
    <section class="strip" aria-labelledby="when">
      <h2 id="when" class="hidden">
        When it ends
      </h2>
      <div class="strip-figure">
        <p class="big">{body.percent_done} %</p>
        <p class="hint">
          {body.hosts_by_phase.maintained} of {count(body.host_count, 'host')}
        </p>
      </div>
      <div class="strip-bars">
        <PhaseBar facts={body} />
        <EndBar scale={endScale(body, serviceNow(seen, nowMs.value))} />
        <Facts seen={seen} />
      </div>
      <div class="strip-end">
        <End seen={seen} />
      </div>
    </section>
  );
};

const End = ({ seen: { body, atMs } }: { readonly seen: Seen<Summary> }) => {
  const { ends_at: end, end_from: from, seconds_left: seconds, progress } = body;
  if (progress === 'done') return <Done body={body} />;
  if (!isAtWork.value && end !== null) return <p class="big">No end while the service is not ready</p>;
  if (end === null && from === 'plan') return <p class="big">It would not come to its end</p>;
  if (end === null || seconds === null) {
    const words = noEndWords(progress);
    return <p class="big">{`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`}</p>;
  }
  return (
    <>
      <EndInWords end={end} seconds={seconds.expected} atMs={atMs} />
      {from === 'records' && (
        <p class="hint">Roughly, by the hosts that are done: there is no plan yet that knows all limits.</p>
      )}
    </>
  );
};

/** A session is over also where it had to leave hosts out. */
const Done = ({ body: { host_count: hosts, hosts_by_phase: phases } }: Pick<Seen<Summary>, 'body'>) => {
  const left = hosts - phases.maintained;
  return left === 0 ? (
    <p class="big">It is done</p>
  ) : (
    <>
      <p class="big">It is over</p>
      <p>
        {left === hosts
          ? 'No host was maintained.'
          : `${count(left, 'host')} ${left === 1 ? 'was' : 'were'} not maintained.`}
      </p>
    </>
  );
};

/** What the marks of the bars mean, with their times. */
const Facts = ({ seen: { body, atMs } }: { readonly seen: Seen<Summary> }) => (
  <dl class="facts strip-facts">
    <Fact name="Hosts">{phaseCounts(body.hosts_by_phase)}</Fact>
    {body.start_seconds_left !== null && (
      <Fact name="Begins in">
        <Left seconds={body.start_seconds_left} atMs={atMs} />
      </Fact>
    )}
    {body.begun_at !== null && (
      <Fact name="Began">
        <Ago at={body.begun_at} />
      </Fact>
    )}
    <WindowFact body={body} atMs={atMs} />
    {body.frozen_by !== null && <Fact name="Frozen by">{body.frozen_by}</Fact>}
    <DeadlineFact body={body} atMs={atMs} />
    <WorkDone summary={body} />
  </dl>
);

const WindowFact = ({
  body: { ended_at: ended, window_open: isOpen, window_seconds_left: seconds },
  atMs,
}: Seen<Summary>) =>
  isOpen === null || ended !== null ? null : (
    <Fact name={isOpen ? 'Window closes in' : 'Window opens in'} mark="end-turn">
      {seconds === null ? 'not known' : <Left seconds={seconds} atMs={atMs} />}
    </Fact>
  );

const DeadlineFact = ({ body: { ended_at: ended, deadline, deadline_seconds_left: seconds }, atMs }: Seen<Summary>) =>
  deadline === null ? null : (
    <Fact name="Deadline" mark="end-deadline">
      <Moment at={deadline} />
      {ended === null && seconds === null && ', passed'}
      {ended === null && seconds !== null && (
        <>
          , in <Left seconds={seconds} atMs={atMs} />
        </>
      )}
    </Fact>
  );

/** Tells when a session has ended, how long it took, and what it did. */
const WorkDone = ({ summary }: { readonly summary: Summary }) => {
  const { begun_at: begun, ended_at: ended } = summary;
  if (ended === null) return null;
  return (
    <>
      <Fact name="Ended">
        <Ago at={ended} />
      </Fact>
      {begun !== null && <Fact name="Took">{duration((Date.parse(ended) - Date.parse(begun)) / 1000)}</Fact>}
      <Fact name="Did">{workInWords(summary)}</Fact>
    </>
  );
};

interface FactProps {
  readonly name: string;
  /** The class of the line in the bar that the fact explains. */
  readonly mark?: string;
  readonly children: preact.ComponentChildren;
}

const Fact = ({ name, mark, children }: FactProps) => (
  <div>
    <dt>
      {mark !== undefined && (
        <svg width="8" height="12" aria-hidden="true">
          <line class={mark} x1="4" x2="4" y1="0" y2="12" />
        </svg>
      )}
      {name}
    </dt>
    <dd>{children}</dd>
  </div>
);
