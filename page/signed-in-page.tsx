/** The page for somebody who has signed in: the head, and the part that the address names. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { createApi } from './client/api';
import { Head } from './head';
import { Keys } from './keys/keys';
import { startEventFeed } from './live/event-feed';
import { wantsNotices } from './notices/consent';
import { useNotices } from './notices/use-notices';
import { LinkToSessions } from './parts/link-to-sessions';
import { NewPage } from './plan/new-page';
import { ProjectPage } from './project/project-page';
import { ReadinessNote } from './readiness-note';
import { route } from './route';
import { SessionPage } from './session/session-page';
import { SessionsPage } from './sessions/sessions-page';
import type { Door } from './sign-in/door';
import type { SignInWays, Who } from './sign-in/ways';
import { type SignedIn, SignedInContext, useSignedIn } from './signed-in';

interface SignedInPageProps {
  readonly door: Door;
  readonly ways: SignInWays;
  readonly who: Who;
}

export const SignedInPage = ({ door, ways, who }: SignedInPageProps) => {
  const signedIn = door.signedIn.value;
  const [hasKeys, showKeys] = useState(false);
  const feed = useMemo(() => startEventFeed(door.http, wantsNotices), [door]);
  useEffect(() => feed.stop, [feed]);
  const isAway = door.http.reach.isAway.value;
  useEffect(() => {
    if (!isAway) feed.restart();
  }, [feed, signedIn, isAway]);
  const shared = useMemo<SignedIn>(
    () => ({ api: createApi(door.http), feed, ways, who, signedIn }),
    [door, feed, ways, who, signedIn],
  );
  return (
    <SignedInContext.Provider value={shared}>
      <a class="skip" href="#main" onClick={toMain}>
        To the content
      </a>
      <Head onLeave={door.leave} onKeys={() => showKeys(true)} />
      <main id="main" tabIndex={-1}>
        <ReadinessNote />
        <Part />
      </main>
      <Keys isOpen={hasKeys} onOpen={showKeys} />
      {who.role === 'admin' && <Notices />}
    </SignedInContext.Provider>
  );
};

/** Shows nothing on the page itself. */
const Notices = () => {
  useNotices();
  return null;
};

/** The address stays: its part after # says what is shown. */
const toMain = (event: MouseEvent): void => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};

const Part = () => {
  const { who } = useSignedIn();
  const to = route.value;
  if (who.role === 'project') return <ProjectPage projectId={who.project_id ?? ''} />;
  switch (to.name) {
    case 'session':
      return <SessionPage key={to.sessionId} sessionId={to.sessionId} />;
    case 'project':
      return <ProjectPage key={to.projectId} projectId={to.projectId} />;
    case 'new':
      return <NewPage again={to.again} />;
    case 'home':
      return <SessionsPage />;
    case 'nowhere':
      return <Nowhere />;
  }
};

const Nowhere = () => (
  <>
    <h1>There is nothing at this address</h1>
    <p>
      The address may be cut off or mistyped. <LinkToSessions />
    </p>
  </>
);
