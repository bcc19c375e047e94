/** When does it end? */
import { phaseWords } from '../../rules/words/phases';
import { noEndWords } from '../../rules/words/progress';
import { count, duration } from '../../rules/words/times';
import { workInWords } from '../../rules/words/work-done';
import type { Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { isAtWork } from '../live/readiness';
import { Bar } from '../parts/bar';
import { EndInWords } from '../parts/end-in-words';
import { Left, Moment } from '../parts/times';

export const EndCard = ({ seen }: { readonly seen: Seen<Summary> }) => {
  const { percent_done: percent, host_count: hosts, hosts_by_phase: phases, instance_count: instances } = seen.body;
  return (
    <section class="card" aria-labelledby="when">
      <h2 id="when">When it ends</h2>
      <End seen={seen} />
      <Bar percent={percent} label="Hosts that are done" />
      <p>
        <strong>{percent} %</strong> – {phases.maintained} of {count(hosts, 'host')} done,{' '}
        {count(instances, 'instance')}
      </p>
      <Times seen={seen} />
      <WorkDone summary={seen.body} />
    </section>
  );
};

/** Tells when a session has ended, how long it took, and what it did. */
const WorkDone = ({ summary }: { readonly summary: Summary }) => {
  const { begun_at: begun, ended_at: ended } = summary;
  if (ended === null) return null;
  return (
    <dl class="facts" aria-label="What it did">
      {begun !== null && (
        <Fact name="Began">
          <Moment at={begun} />
        </Fact>
      )}
      <Fact name="Ended">
        <Moment at={ended} />
      </Fact>
      {begun !== null && <Fact name="Took">{duration((Date.parse(ended) - Date.parse(begun)) / 1000)}</Fact>}
      <Fact name="Did">{workInWords(summary)}</Fact>
    </dl>
  );
};

const End = ({ seen: { body, atMs } }: { readonly seen: Seen<Summary> }) => {
  const { ends_at: end, end_from: from, seconds_left: seconds, progress } = body;
  if (progress === 'done') return <p class="big">It is done</p>;
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

const Times = ({ seen: { body, atMs } }: { readonly seen: Seen<Summary> }) => (
  <dl class="facts">
    {body.start_seconds_left !== null && (
      <Fact name="Begins in">
        <Left seconds={body.start_seconds_left} atMs={atMs} />
      </Fact>
    )}
    {body.window_open !== null && (
      <Fact name={body.window_open ? 'Window closes in' : 'Window opens in'}>
        {body.window_seconds_left === null ? 'not known' : <Left seconds={body.window_seconds_left} atMs={atMs} />}
      </Fact>
    )}
    {body.frozen_by !== null && <Fact name="Frozen by">{body.frozen_by}</Fact>}
    {body.deadline !== null && (
      <Fact name="Deadline">
        <Moment at={body.deadline} />
        {body.deadline_seconds_left === null ? (
          ', passed'
        ) : (
          <>
            , in <Left seconds={body.deadline_seconds_left} atMs={atMs} />
          </>
        )}
      </Fact>
    )}
    {(['set_aside', 'skipped', 'failed'] as const)
      .filter((phase) => body.hosts_by_phase[phase] > 0)
      .map((phase) => (
        <Fact key={phase} name={`Hosts ${phaseWords[phase]}`}>
          {body.hosts_by_phase[phase]}
        </Fact>
      ))}
  </dl>
);

const Fact = ({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
