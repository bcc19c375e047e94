import type { BusMessage } from '../../../events/bus';
import { createEventDrafts, type EventDraft } from '../../../events/drafts';
import { toEnvelope } from '../../../events/envelope';
import { eventFormOf } from '../../../events/event-form';
import { specifiedNames } from '../../builders/wire-names';

const sessionId = '1c6a1f0e-7f3c-4a64-9d0f-6f8f7a0c5a11';
const projectId = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
const instanceId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const baseUrl = 'https://parley.example.org/api';
const names = { cloudEventsPrefix: 'org.example.parley', baseUrl };
const drafts = createEventDrafts({ serviceName: 'parley', adminProjectId: 'a', baseUrl });

const aQuestion = { sessionId, projectId, state: 'MAINTENANCE', instanceIds: '', allowedActions: [], metadata: {} };

const messageOf = (draft: EventDraft): BusMessage => {
  const row = { ...draft, createdAt: new Date('2026-11-21T12:00:00.250Z') };
  return { key: sessionId, seq: 12, envelope: toEnvelope(row, specifiedNames) };
};

const contentOf = (format: 'plain' | 'oslo' | 'cloudevents', message: BusMessage): Record<string, unknown> =>
  JSON.parse(eventFormOf(format, names)(message).value) as Record<string, unknown>;

describe('an event as a CloudEvent', () => {
  const hostEvent = messageOf(drafts.host({ sessionId, state: 'IN_MAINTENANCE', host: 'compute-1' }));

  it('has the attributes of CloudEvents 1.0 around the payload', () => {
    expect(contentOf('cloudevents', hostEvent)).toEqual({
      specversion: '1.0',
      id: hostEvent.envelope.message_id,
      source: `https://parley.example.org/api/v1/maintenance/${sessionId}`,
      type: 'org.example.parley.maintenance.host',
      subject: 'hosts/compute-1',
      time: '2026-11-21T12:00:00.250Z',
      datacontenttype: 'application/json',
      partitionkey: sessionId,
      sequence: '0000000012',
      sessionid: sessionId,
      projectid: 'a',
      data: hostEvent.envelope.payload,
    });
  });

  it.each([
    {
      about: 'a session',
      draft: drafts.session({ sessionId, state: 'MAINTENANCE', percentDone: 0 }),
      subject: undefined,
    },
    { about: 'a project', draft: drafts.planned(aQuestion), subject: `projects/${projectId}` },
    {
      about: 'an instance',
      draft: drafts.planned({ ...aQuestion, instanceId }),
      subject: `projects/${projectId}/instances/${instanceId}`,
    },
  ])('names $about as its subject', ({ draft, subject }) => {
    expect(contentOf('cloudevents', messageOf(draft))['subject']).toBe(subject);
  });

  it('names its attributes with at most 20 small letters and digits, and gives all of them a text', () => {
    const { data, ...attributes } = contentOf('cloudevents', messageOf(drafts.planned(aQuestion)));
    expect(typeof data).toBe('object');
    expect(Object.keys(attributes).filter((name) => !/^[a-z0-9]{1,20}$/.test(name))).toEqual([]);
    expect(Object.values(attributes).filter((value) => typeof value !== 'string' || value === '')).toEqual([]);
  });

  it('says on Kafka what it is, while the other forms have no headers', () => {
    const headersOf = (format: 'plain' | 'oslo' | 'cloudevents') => eventFormOf(format, names)(hostEvent).headers;
    expect(headersOf('cloudevents')).toEqual({ 'content-type': 'application/cloudevents+json; charset=UTF-8' });
    expect([headersOf('plain'), headersOf('oslo')]).toEqual([undefined, undefined]);
  });
});

describe.each(['plain', 'oslo', 'cloudevents'] as const)('an event in the form %s', (format) => {
  const message = messageOf(drafts.planned({ ...aQuestion, instanceId }));
  const text = eventFormOf(format, names)(message).value;

  it('has the same text each time, with the identity and the reply URL of the event', () => {
    expect(eventFormOf(format, names)(message).value).toBe(text);
    expect(text).toContain(message.envelope.message_id);
    expect(text).toContain(`${baseUrl}/v1/maintenance/${sessionId}/${projectId}/${instanceId}`);
  });
});
