import { createEventDrafts, type PlannedNotice } from '../../../events/drafts';

const sessionId = '11111111-1111-4111-8111-111111111111';
const projectId = '22222222-2222-4222-8222-222222222222';
const instanceId = '33333333-3333-4333-8333-333333333333';
const messageId = '44444444-4444-4444-8444-444444444444';
const adminProjectId = '99999999-9999-4999-8999-999999999999';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const anyUuid: unknown = expect.stringMatching(uuid);

const drafts = createEventDrafts({
  serviceName: 'parley',
  adminProjectId,
  baseUrl: 'http://maintenance.example:12347',
});
const projectUrl = `http://maintenance.example:12347/v1/maintenance/${sessionId}/${projectId}`;

const aNotice = (changes: Partial<PlannedNotice> = {}): PlannedNotice => ({
  sessionId,
  projectId,
  state: 'PLANNED_MAINTENANCE',
  instanceIds: projectUrl,
  allowedActions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
  metadata: { flavor: 'new' },
  ...changes,
});

describe('admin events', () => {
  it.each(['IN_MAINTENANCE', 'MAINTENANCE_COMPLETE'] as const)('tell that a host is %s', (state) => {
    expect(drafts.host({ sessionId, state, host: 'compute-1' })).toEqual({
      sessionId,
      eventType: 'maintenance.host',
      messageId: anyUuid,
      projectId: null,
      payload: { service: 'parley', state, session_id: sessionId, host: 'compute-1', project_id: adminProjectId },
    });
  });

  it('tell how far a session is, with percent_done as a number', () => {
    expect(drafts.session({ sessionId, state: 'PLANNED_MAINTENANCE', percentDone: 40 })).toEqual({
      sessionId,
      eventType: 'maintenance.session',
      messageId: anyUuid,
      projectId: null,
      payload: {
        service: 'parley',
        state: 'PLANNED_MAINTENANCE',
        session_id: sessionId,
        percent_done: 40,
        project_id: adminProjectId,
      },
    });
  });

  it('differ in their message_id, also where they say the same', () => {
    const notice = { sessionId, state: 'MAINTENANCE', percentDone: 0 };
    expect(drafts.session(notice).messageId).not.toBe(drafts.session(notice).messageId);
  });
});

describe('an event to a project', () => {
  it('has every field of the specification, the affected project, and no times yet', () => {
    expect(drafts.planned(aNotice({ messageId }))).toEqual({
      sessionId,
      eventType: 'maintenance.planned',
      messageId,
      projectId,
      payload: {
        service: 'parley',
        allowed_actions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
        instance_ids: projectUrl,
        reply_url: projectUrl,
        state: 'PLANNED_MAINTENANCE',
        session_id: sessionId,
        reply_at: '',
        actions_at: '',
        project_id: projectId,
        metadata: { flavor: 'new' },
      },
    });
  });

  it('has a reason where there is one', () => {
    const payload = drafts.planned(aNotice({ reason: 'it was aborted' })).payload;
    expect(payload).toEqual({ ...drafts.planned(aNotice()).payload, reason: 'it was aborted' });
  });

  it('gets a message_id of its own where it is no question', () => {
    expect(drafts.planned(aNotice()).messageId).toMatch(uuid);
  });

  it.each([
    { situation: 'a link in MAINTENANCE', state: 'MAINTENANCE', instanceIds: projectUrl },
    { situation: 'empty in SCALE_IN, where the project chooses', state: 'SCALE_IN', instanceIds: '' },
    { situation: 'a one-element list for one instance', state: 'PREPARE_MAINTENANCE', instanceIds: [instanceId] },
    { situation: 'one ID after an action', state: 'INSTANCE_ACTION_DONE', instanceIds: instanceId },
    { situation: 'empty in MAINTENANCE_COMPLETE', state: 'MAINTENANCE_COMPLETE', instanceIds: '' },
  ])('has instance_ids as it was given: $situation', ({ state, instanceIds }) => {
    expect(drafts.planned(aNotice({ state, instanceIds })).payload).toMatchObject({ state, instance_ids: instanceIds });
  });

  it.each([
    { situation: 'the project', named: undefined, url: projectUrl },
    { situation: 'the instance, where one is named', named: instanceId, url: `${projectUrl}/${instanceId}` },
  ])('is answered at the reply URL of $situation', ({ named, url }) => {
    expect(drafts.planned(aNotice({ instanceId: named })).payload['reply_url']).toBe(url);
  });
});

describe('the URL of the project list', () => {
  it.each(['http://maintenance.example:12347', 'http://maintenance.example:12347/'])(
    'comes out the same for %s',
    (baseUrl) => {
      const these = createEventDrafts({ serviceName: 'parley', adminProjectId, baseUrl });
      expect(these.projectListUrl(sessionId, projectId)).toBe(projectUrl);
    },
  );
});
