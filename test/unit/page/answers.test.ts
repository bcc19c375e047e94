import type { Question } from '../../../page/client/types';
import { replyTo } from '../../../page/project/reply';
import { askingFor } from '../../../page/session/requests';
import { addressOfIssuer, returnIn } from '../../../page/sign-in/oidc-addresses';

const aQuestion = (given: Partial<Question>): Question => ({
  ...{
    question_id: 'q',
    session_id: 's',
    project_id: 'p',
    project_name: null,
    state: 'PLANNED_MAINTENANCE',
    instance_id: null,
  },
  ...{
    hostname: null,
    instance_ids: ['a', 'b'],
    instances: [],
    allowed_actions: ['MIGRATE'],
    reply_url: '',
    reply_at: null,
    not_before_latest: null,
    deadline: null,
  },
  seconds_left: null,
  ...given,
});

describe('the reply of a project', () => {
  const state = 'ACK_PLANNED_MAINTENANCE';
  interface Case {
    says: string;
    question: Partial<Question>;
    agrees: boolean;
    actions: Record<string, string>;
    notBefore?: string;
    body: object;
  }

  it.each<Case>([
    { says: 'yes', question: {}, agrees: true, actions: {}, body: { state } },
    {
      ...{ says: 'yes, with an action for one instance', question: {}, agrees: true },
      ...{ actions: { a: 'MIGRATE', b: '' }, body: { state, instance_actions: { a: 'MIGRATE' } } },
    },
    {
      ...{ says: 'yes about one instance', question: { instance_id: 'a' }, agrees: true },
      ...{ actions: { a: 'MIGRATE' }, body: { state, instance_action: 'MIGRATE' } },
    },
    {
      ...{ says: 'refuse for now', question: {}, agrees: false, actions: { a: 'MIGRATE' } },
      body: { state: 'NACK_PLANNED_MAINTENANCE' },
    },
    {
      ...{ says: 'yes, later', question: {}, agrees: true, actions: { a: 'MIGRATE' }, notBefore: '2040-01-01T10:00' },
      body: { state, instance_actions: { a: 'MIGRATE' }, not_before: new Date('2040-01-01T10:00').toISOString() },
    },
    {
      ...{ says: 'refuse, whatever time was typed', question: {}, agrees: false, actions: {} },
      ...{ notBefore: '2040-01-01T10:00', body: { state: 'NACK_PLANNED_MAINTENANCE' } },
    },
  ])('that says $says', ({ question, agrees, actions, notBefore, body }) => {
    const draft = { agrees, actions, ...(notBefore !== undefined && { notBefore }) };
    expect(replyTo(aQuestion(question), draft)).toEqual(body);
  });
});

describe('what a control does is said before', () => {
  const facts = {
    ...{ session_id: '5e551011-0000-4000-8000-000000000001', state: 'PLANNED_MAINTENANCE', under_work: [] },
    ...{ prev_state: 'START_MAINTENANCE', moving_count: 1, open_questions: 2, progress: 'running' as const },
  };

  it('what is in flight when one pauses', () => {
    const { says, word } = askingFor('pause', facts);
    expect(says.at(-1)).toBe('At this moment 0 hosts under work, 1 instance moving, 2 questions open.');
    expect(word).toBeUndefined();
  });

  it('the beginning of the ID is typed for what cannot be taken back', () => {
    expect([askingFor('abort', facts).word, askingFor('delete', facts).word]).toEqual(['5e551011', '5e551011']);
  });
});

describe('signing in at the issuer', () => {
  const stored = JSON.stringify({ state: 'mine', verifier: 'v', hash: '#/new' });

  it('goes there with a challenge', () => {
    const issuer = {
      issuer: 'https://i',
      authorization_endpoint: 'https://i/auth?realm=a',
      token_endpoint: 'https://i/t',
    };
    const url = new URL(
      addressOfIssuer(
        { ...issuer, client_id: 'page', scope: 'openid' },
        { state: 's', challenge: 'c', redirect: 'https://p/' },
      ),
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{
        realm: 'a',
        response_type: 'code',
        client_id: 'page',
        scope: 'openid',
        redirect_uri: 'https://p/',
        state: 's',
      },
      ...{ code_challenge: 'c', code_challenge_method: 'S256' },
    });
  });

  it.each([
    { search: '', kind: 'none' },
    { search: '?code=c&state=mine', kind: 'code' },
    { search: '?code=c&state=of-somebody-else', kind: 'refused' },
    { search: '?error=access_denied&state=mine', kind: 'refused' },
  ])('comes back with "$search": $kind', ({ search, kind }) => {
    expect(returnIn(search, stored).kind).toBe(kind);
    expect(returnIn(search, null).kind).toBe(kind === 'code' ? 'refused' : kind);
  });
});
