import { toEnvelope } from '../../../events/envelope';
import { specifiedNames } from '../../builders/wire-names';

const aRow = (payload: unknown) => ({
  eventType: 'maintenance.session',
  messageId: '7f0c3f52-6c8e-4f8d-9f57-1f4fd4a1f0aa',
  createdAt: new Date('2026-11-21T12:00:00.250Z'),
  payload,
});

describe('the envelope of an event', () => {
  it('has exactly the fields of the specification, with the payload as an object', () => {
    expect(toEnvelope(aRow({ state: 'MAINTENANCE' }), specifiedNames)).toEqual({
      priority: 'info',
      event_type: 'maintenance.session',
      timestamp: '2026-11-21T12:00:00.250Z',
      publisher_id: 'parley',
      message_id: '7f0c3f52-6c8e-4f8d-9f57-1f4fd4a1f0aa',
      payload: { state: 'MAINTENANCE' },
    });
  });

  it.each([
    { eventType: 'maintenance.planned', seen: 'maintenance.scheduled' },
    { eventType: 'maintenance.session', seen: 'maintenance.session' },
    { eventType: 'maintenance.host', seen: 'maintenance.host' },
  ])('calls $eventType $seen, and the service as it is told, for older clients', ({ eventType, seen }) => {
    const names = { serviceName: 'fenix', projectEventType: 'maintenance.scheduled' };
    const envelope = toEnvelope({ ...aRow({}), eventType }, names);
    expect(envelope).toMatchObject({ event_type: seen, publisher_id: 'fenix' });
  });

  it.each([
    { what: 'a list', payload: ['a'] },
    { what: 'a string', payload: '{"state":"MAINTENANCE"}' },
    { what: 'null', payload: null },
  ])('refuses a payload that is $what and names the event', ({ payload }) => {
    expect(() => toEnvelope(aRow(payload), specifiedNames)).toThrow('7f0c3f52-6c8e-4f8d-9f57-1f4fd4a1f0aa');
  });
});
