/** When the sessions of a project would end with other terms. */
import { shortId } from '../../rules/words/times';
import type { TermsPreview } from '../client/types';
import { Moment } from '../parts/times';

type Session = TermsPreview['sessions'][number];

export const TermsPreviewList = ({ preview: { sessions } }: { readonly preview: TermsPreview }) => (
  <div class="note" role="status">
    {sessions.length === 0 ? (
      <p>No session that is there now is still to impact your instances.</p>
    ) : (
      <ul class="plain-list">
        {sessions.map((session) => (
          <li key={session.session_id}>
            Session {shortId(session.session_id)}
            {session.reason !== null && ` (${session.reason})`}{' '}
            <strong>with these terms {<End at={session.ends_at_with_terms} />}</strong>; with the terms of now it{' '}
            {<End at={session.ends_at} />}.
          </li>
        ))}
      </ul>
    )}
  </div>
);

const End = ({ at }: { readonly at: Session['ends_at'] }) =>
  at === null ? (
    <>would not end by itself</>
  ) : (
    <>
      would end at <Moment at={at.expected} />
    </>
  );
