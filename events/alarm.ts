/**
 * An event in the form in which a telemetry service posts it to the alarm of a project, so that managers written for
 * that need no telemetry service. Values are traits, each with a type; lists and dictionaries are texts that managers
 * evaluate as Python or as YAML, which is why `evaluable` leaves neither true, false nor null in them.
 */
import type { Envelope } from './envelope';
import { evaluable } from './evaluable';

type TraitType = 1 | 2 | 3 | 4;
export type Trait = readonly [name: string, type: TraitType, value: string | number];

export interface Alarm {
  readonly alarm_id: string;
  readonly alarm_name: string;
  readonly severity: 'low';
  readonly previous: 'insufficient data';
  readonly current: 'alarm';
  readonly reason: string;
  readonly reason_data: {
    readonly type: 'event';
    readonly event: {
      readonly message_id: string;
      readonly event_type: string;
      readonly generated: string;
      readonly traits: readonly Trait[];
    };
  };
}

const types = { text: 1, integer: 2, float: 3, date: 4 } as const;
/** Telemetry cuts texts there. */
const longestText = 255;
const plainTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const link = /^https?:\/\//;

const firstCharacters = (text: string): string => Array.from(text).slice(0, longestText).join('');

/** Nobody can use half a link. A text that only looks like a list must not be evaluated. */
const traitOfText = (name: string, text: string): Trait => {
  if (plainTime.test(text)) return [name, types.date, text];
  if (link.test(text)) return [name, types.text, text];
  return [name, types.text, firstCharacters(/^[[{]/.test(text) ? ` ${text}` : text)];
};

/** Half a list, or half a dictionary, cannot be evaluated: one that is too long becomes an empty one. */
const traitOfCollection = (name: string, value: object): Trait => {
  const text = JSON.stringify(value);
  const empty = Array.isArray(value) ? '[]' : '{}';
  return [name, types.text, text.length > longestText ? empty : text];
};

const toTrait = ([name, given]: [string, unknown]): Trait => {
  const value = evaluable(given);
  if (typeof value === 'number') return [name, Number.isInteger(value) ? types.integer : types.float, value];
  if (typeof value === 'object' && value !== null) return traitOfCollection(name, value);
  return traitOfText(name, String(value));
};

/** @param alarmId of the webhook, in place of the alarm's in a telemetry service */
export const toAlarm = (envelope: Envelope, alarmId: string): Alarm => ({
  alarm_id: alarmId,
  alarm_name: envelope.event_type,
  severity: 'low',
  previous: 'insufficient data',
  current: 'alarm',
  reason: `Event <id=${envelope.message_id},event_type=${envelope.event_type}>`,
  reason_data: {
    type: 'event',
    event: {
      message_id: envelope.message_id,
      event_type: envelope.event_type,
      generated: envelope.timestamp.replace('Z', '000'),
      traits: Object.entries(envelope.payload).map(toTrait),
    },
  },
});
