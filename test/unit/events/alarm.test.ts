import { parse as parseYaml } from 'yaml';
import { toAlarm } from '../../../events/alarm';
import type { EventPayload } from '../../../events/envelope';
import { type Alarm, asPython, type EvaluateText, readTraits } from '../../field-client/alarm';

const aPayload: EventPayload = {
  service: 'fenix',
  state: 'PLANNED_MAINTENANCE',
  session_id: '47479bca-7f0e-11ea-99c9-2c600c9893ee',
  project_id: '39494a5d9f424b3bb7d91d1bd2a1a1b0',
  instance_ids: ['fcbaeb3e-7f0f-11ea-8a01-2c600c9893ee'],
  allowed_actions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
  reply_url: 'https://parley.example/v1/maintenance/a/b',
  reply_at: '2026-04-15T11:49:23',
  actions_at: '2026-04-15T11:49:23',
  metadata: { huge_pages: true, sriov: false, flavor: null, sizes: [1, null] },
};

const alarmOf = (payload: EventPayload) =>
  toAlarm(
    {
      priority: 'info',
      event_type: 'maintenance.scheduled',
      timestamp: '2026-04-15T11:49:02.123Z',
      publisher_id: 'fenix',
      message_id: '0f1c9c1e-5d0b-4d39-9a0e-6a3d2f6b7c11',
      payload,
    },
    '5b1f0d0e-8a53-4f0e-9a3c-2f7d1c6e4b10',
  );

const traitOf = (value: unknown) => alarmOf({ value }).reason_data.event.traits[0];

/** Reads the alarm as the clients in the field do. */
const readBack = (payload: EventPayload, evaluate: EvaluateText) =>
  readTraits(alarmOf(payload) as unknown as Alarm, evaluate);

describe('the alarm of an event', () => {
  it('has the body that a telemetry service posts', () => {
    expect(alarmOf(aPayload)).toMatchObject({
      current: 'alarm',
      reason_data: {
        type: 'event',
        event: {
          message_id: '0f1c9c1e-5d0b-4d39-9a0e-6a3d2f6b7c11',
          event_type: 'maintenance.scheduled',
          generated: '2026-04-15T11:49:02.123000',
        },
      },
    });
  });

  it.each([
    { language: 'Python', evaluate: asPython },
    { language: 'YAML', evaluate: (text: string): unknown => parseYaml(text) },
  ])('is read by the clients in the field, with lists and dictionaries as $language', ({ evaluate }) => {
    expect(readBack(aPayload, evaluate)).toEqual({
      ...aPayload,
      metadata: { huge_pages: 1, sriov: 0, flavor: '', sizes: [1, ''] },
    });
  });

  it.each([
    { value: 'text', trait: ['value', 1, 'text'] },
    { value: '', trait: ['value', 1, ''] },
    { value: 42, trait: ['value', 2, 42] },
    { value: 0.5, trait: ['value', 3, 0.5] },
    { value: true, trait: ['value', 2, 1] },
    { value: null, trait: ['value', 1, ''] },
    { value: '2026-04-15T11:49:23', trait: ['value', 4, '2026-04-15T11:49:23'] },
    { value: ['a', true], trait: ['value', 1, '["a",1]'] },
    { value: 'x'.repeat(300), trait: ['value', 1, 'x'.repeat(255)] },
    { value: '🌋'.repeat(300), trait: ['value', 1, '🌋'.repeat(255)] },
    { value: { long: 'x'.repeat(300) }, trait: ['value', 1, '{}'] },
    { value: ['x'.repeat(300)], trait: ['value', 1, '[]'] },
    { value: '[not a list', trait: ['value', 1, ' [not a list'] },
    { value: `https://a.example/${'x'.repeat(300)}`, trait: ['value', 1, `https://a.example/${'x'.repeat(300)}`] },
  ])('writes $value as the trait $trait', ({ value, trait }) => {
    expect(traitOf(value)).toEqual(trait);
  });
});
