/** A card for the host that is pointed at, or has the focus: its phase, its times, its waits, and who can act. */
import type { ReadonlySignal } from '@preact/signals';
import { ownerInWords } from '../../rules/obstacles/owner';
import { helpForWait, inWords, ownedWait } from '../../rules/reasons/in-words';
import { firstLineOf } from '../../rules/words/failure-of-host';
import { withShortIds } from '../../rules/words/names';
import { phaseWords } from '../../rules/words/phases';
import { count } from '../../rules/words/times';
import { asSeen } from '../../rules/words/what-they-see';
import type { Host, PlannedHost } from '../client/types';
import { isAtWork } from '../live/readiness';
import { Chip } from '../parts/chip';
import { phaseTones } from '../parts/words-of-progress';
import type { HostOfTimeline } from './layout';
import { clockOn } from './tick-words';

/** A host, and where it is on the screen. */
export interface Pointed {
  readonly hostname: string;
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

export interface HostCardFacts {
  readonly host: HostOfTimeline;
  readonly planned: PlannedHost | undefined;
  /** The names of the instances on it, or of those that will leave it. */
  readonly instances: readonly string[];
}

interface HostCardProps {
  readonly pointed: ReadonlySignal<Pointed | undefined>;
  readonly factsOf: (hostname: string) => HostCardFacts | undefined;
  readonly nowMs: number;
}

export const cardId = 'host-card';

export const HostCard = ({ pointed: { value: pointed }, factsOf, nowMs }: HostCardProps) => {
  const facts = pointed && factsOf(pointed.hostname);
  if (pointed === undefined || facts === undefined) return null;
  return (
    <div id={cardId} class="host-card" role="tooltip" style={placeFor(pointed)}>
      <Facts {...facts} nowMs={nowMs} />
    </div>
  );
};

const [width, height, margin] = [352, 190, 8];

/** Below the host, or above it where the window ends. */
const placeFor = ({ left, top, bottom }: Pointed) => {
  const x = Math.max(margin, Math.min(left, innerWidth - width - margin));
  return bottom + height > innerHeight && top > height
    ? { left: `${x}px`, bottom: `${innerHeight - top + 4}px` }
    : { left: `${x}px`, top: `${bottom + 4}px` };
};

const mostNames = 6;

const Facts = ({ host, planned, instances, nowMs }: HostCardFacts & { readonly nowMs: number }) => (
  <>
    <p class="card-head">
      <strong>{host.hostname}</strong> <Chip tone={phaseTones[host.phase]}>{phaseWords[host.phase]}</Chip>
      <span class="hint"> since {clockOn(host.phase_since, nowMs)}</span>
    </p>
    {instances.length > 0 && (
      <p>
        {count(instances.length, 'instance')}: {instances.slice(0, mostNames).join(', ')}
        {instances.length > mostNames && ` and ${instances.length - mostNames} more`}
      </p>
    )}
    <Expected planned={planned} nowMs={nowMs} />
    {host.waiting !== null && <WaitFacts wait={host.waiting} />}
    {host.waiting === null && host.details !== undefined && host.details !== '' && (
      <p>{withShortIds(asSeen(firstLineOf(host.details), 'page'))}</p>
    )}
  </>
);

const Expected = ({ planned, nowMs }: { readonly planned: PlannedHost | undefined; readonly nowMs: number }) => {
  const spans = [
    ['Drain', planned?.drain],
    ['Maintenance', planned?.maintenance],
  ] as const;
  return (
    <>
      {spans.map(([name, span]) =>
        span ? (
          <p key={name}>
            <span class="hint">{name} expected</span> {clockOn(span.from, nowMs)} to {clockOn(span.to, nowMs)}
          </p>
        ) : null,
      )}
    </>
  );
};

const WaitFacts = ({ wait }: { readonly wait: NonNullable<Host['waiting']> }) => (
  <>
    <p>
      Waits for <strong>{inWords(wait)}</strong>
    </p>
    <p class="hint">
      Up to {ownerInWords(ownedWait(wait), isAtWork.value)}
      {helpForWait(wait) !== undefined && `: ${withShortIds(asSeen(helpForWait(wait) ?? '', 'page'))}`}
    </p>
  </>
);
