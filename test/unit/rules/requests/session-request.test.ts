import { decideRequest, type RequestedSession } from '../../../../rules/requests/session-request';

const aSession = (given: Partial<RequestedSession> = {}): RequestedSession => ({
  ...{ state: 'PLANNED_MAINTENANCE', isPaused: false, isFailing: false },
  ...{ isAborted: false, isContinuing: false, isDeleting: false },
  ...given,
});
const failed = { state: 'MAINTENANCE_FAILED' };

describe('what becomes of pause, resume and abort', () => {
  it.each([
    { situation: 'that runs', session: aSession(), pause: 'change', resume: 'already', abort: 'change' },
    {
      situation: 'that is paused',
      session: aSession({ isPaused: true }),
      pause: 'already',
      resume: 'change',
      abort: 'change',
    },
    {
      situation: 'that is failing',
      session: aSession({ isFailing: true }),
      pause: 'refuse',
      resume: 'refuse',
      abort: 'change',
    },
    {
      situation: 'that is being aborted',
      session: aSession({ isFailing: true, isAborted: true }),
      ...{ pause: 'refuse', resume: 'refuse', abort: 'already' },
    },
    { situation: 'that has failed', session: aSession(failed), pause: 'refuse', resume: 'refuse', abort: 'refuse' },
    {
      situation: 'that was aborted',
      session: aSession({ ...failed, isAborted: true }),
      ...{ pause: 'refuse', resume: 'refuse', abort: 'already' },
    },
    {
      situation: 'that was aborted and goes on in a moment',
      session: aSession({ ...failed, isAborted: true, isContinuing: true }),
      ...{ pause: 'refuse', resume: 'refuse', abort: 'refuse' },
    },
    {
      situation: 'that is done',
      session: aSession({ state: 'MAINTENANCE_DONE' }),
      ...{ pause: 'refuse', resume: 'refuse', abort: 'refuse' },
    },
    {
      situation: 'that is being deleted',
      session: aSession({ isDeleting: true }),
      ...{ pause: 'refuse', resume: 'refuse', abort: 'already' },
    },
  ])('of a session $situation: $pause, $resume, $abort', ({ session, pause, resume, abort }) => {
    expect(decideRequest('pause', session).kind).toBe(pause);
    expect(decideRequest('resume', session).kind).toBe(resume);
    expect(decideRequest('abort', session).kind).toBe(abort);
  });

  it.each([
    {
      situation: 'failed',
      session: aSession(failed),
      hint: 'PUT /v1/maintenance/{session_id} goes on with it, DELETE removes it',
    },
    { situation: 'done', session: aSession({ state: 'MAINTENANCE_DONE' }), hint: 'DELETE removes it' },
  ])('says what helps where it is $situation', ({ session, hint }) => {
    expect(decideRequest('resume', session)).toMatchObject({ kind: 'refuse', hint });
  });
});
