/** One session: when it ends, what it waits for, what one can do; then its hosts, questions and events. */
import type { ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { progressInWords } from '../../rules/words/progress';
import type { Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { useZoneOfWindows } from '../live/use-zone-of-windows';
import { LookNote } from '../parts/look-note';
import { SessionStrip } from '../strip/session-strip';
import { HappeningsPart } from './happenings-part';
import { HostsPart } from './hosts-part';
import { Lane } from './lane';
import { QuestionsPart } from './questions-part';
import { SessionHead } from './session-head';
import { type SessionLooks, useSessionLooks } from './session-looks';
import { TenantsPart } from './tenants-part';

export const SessionPage = ({ sessionId }: { readonly sessionId: string }) => {
  const looks = useSessionLooks(sessionId);
  useZoneOfWindows(looks.hosts.seen.value?.body.session.windows);
  return (
    <>
      {looks.summary.seen.value === undefined && <h1>Session</h1>}
      <LookNote look={looks.summary} />
      <WhenSeen seen={looks.summary.seen} looks={looks} />
    </>
  );
};

const WhenSeen = ({
  seen,
  looks,
}: {
  readonly seen: ReadonlySignal<Seen<Summary> | undefined>;
  readonly looks: SessionLooks;
}) => {
  const { value } = seen;
  useTitle(value?.body);
  if (value === undefined) return null;
  return (
    <>
      <SessionHead seen={value} looks={looks} />
      <SessionStrip seen={value} />
      <Lane seen={value} looks={looks} />
      <HostsPart seen={value} looks={looks} />
      <div class="columns">
        <div class="stack">
          <QuestionsPart looks={looks} />
          <TenantsPart looks={looks} />
        </div>
        <HappeningsPart looks={looks} sessionId={value.body.session_id} />
      </div>
    </>
  );
};

const useTitle = (summary: Summary | undefined): void => {
  useEffect(() => {
    if (summary !== undefined)
      document.title = `${summary.percent_done} % ${progressInWords(summary.progress)} · Parley`;
    return () => {
      document.title = 'Parley';
    };
  }, [summary?.percent_done, summary?.progress]);
};
