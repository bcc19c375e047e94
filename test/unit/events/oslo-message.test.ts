import type { Envelope } from '../../../events/envelope';
import { toOsloMessage } from '../../../events/oslo-message';

const anEnvelope = (payload: Envelope['payload']): Envelope => ({
  priority: 'info',
  event_type: 'maintenance.scheduled',
  timestamp: '2026-11-21T12:00:00.250Z',
  publisher_id: 'fenix',
  message_id: '7f0c3f52-6c8e-4f8d-9f57-1f4fd4a1f0aa',
  payload,
});

const innerOf = (payload: Envelope['payload']): unknown => {
  const outer = JSON.parse(toOsloMessage(anEnvelope(payload))) as Record<string, string>;
  expect(Object.keys(outer)).toEqual(['oslo.version', 'oslo.message']);
  expect(outer['oslo.version']).toBe('2.0');
  return JSON.parse(outer['oslo.message']!);
};

describe('an event for consumers that use oslo.messaging', () => {
  it('is the envelope as text within JSON, with a context and a timestamp of their form', () => {
    expect(innerOf({ state: 'MAINTENANCE', percent_done: 40 })).toEqual({
      priority: 'info',
      event_type: 'maintenance.scheduled',
      timestamp: '2026-11-21 12:00:00.250000',
      publisher_id: 'fenix',
      message_id: '7f0c3f52-6c8e-4f8d-9f57-1f4fd4a1f0aa',
      payload: { state: 'MAINTENANCE', percent_done: 40 },
      _context: {},
    });
  });

  it('keeps true, false and null out of lists and dictionaries, however deep they sit', () => {
    const metadata = { huge_pages: true, sriov: false, flavor: null, deep: [{ pinned: true }, [null, false]] };
    expect(innerOf({ metadata })).toMatchObject({
      payload: { metadata: { huge_pages: 1, sriov: 0, flavor: '', deep: [{ pinned: 1 }, ['', 0]] } },
    });
  });

  it.each([
    { what: 'numbers', value: [0, 1.5, -3] },
    { what: 'text that looks like a literal', value: ['true', 'null', ''] },
    { what: 'empty lists and dictionaries', value: [[], {}] },
  ])('leaves $what as they are', ({ value }) => {
    expect(innerOf({ metadata: { value } })).toMatchObject({ payload: { metadata: { value } } });
  });
});
