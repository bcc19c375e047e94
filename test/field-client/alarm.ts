/**
 * An event on its way through a telemetry service: a notification of oslo.messaging becomes an event with traits, and
 * that the body of an alarm. Numbers in `traits` are the types: 1 text, 2 whole number, 4 date.
 */
import { evaluatePython, pythonText } from './python-text';

export type Trait = readonly [name: string, type: 1 | 2 | 4, value: string | number];

export interface Alarm {
  readonly alarm_name: string;
  readonly current: 'alarm';
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

/** A notification as oslo.messaging unpacks it. */
export interface Notification {
  readonly message_id: string;
  readonly event_type: string;
  readonly publisher_id: string;
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The form in which a telemetry service writes lists and dictionaries into text. */
export type TextForm = 'python' | 'json';

const osloTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/;
const plainTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const textLength = 255;

/** @throws Error where a consumer of oslo.messaging could not read it */
export const unwrapNotification = (text: string): Notification => {
  const outer = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (outer['oslo.version'] !== '2.0') throw new Error('no envelope of oslo.messaging 2.0');
  const inner = JSON.parse(String(outer['oslo.message'])) as Notification & { readonly _context?: unknown };
  if (typeof inner._context !== 'object' || inner._context === null) throw new Error('KeyError: _context');
  if (!osloTime.test(inner.timestamp)) throw new Error(`${inner.timestamp} is no time of oslo.messaging`);
  return inner;
};

const toTrait = (name: string, value: unknown, form: TextForm): Trait => {
  if (typeof value === 'number' && Number.isInteger(value)) return [name, 2, value];
  if (typeof value === 'string' && plainTime.test(value)) return [name, 4, value];
  const text = typeof value === 'string' || form === 'python' ? pythonText(value) : JSON.stringify(value);
  return [name, 1, text.slice(0, textLength)];
};

export const toAlarm = (notification: Notification, form: TextForm): Alarm => ({
  alarm_name: `${notification.event_type} of ${String(notification.payload['project_id'])}`,
  current: 'alarm',
  reason_data: {
    type: 'event',
    event: {
      message_id: notification.message_id,
      event_type: notification.event_type,
      generated: notification.timestamp,
      traits: Object.entries(notification.payload).map(([name, value]) => toTrait(name, value, form)),
    },
  },
});

/** Reads text that begins as a list or a dictionary does. */
export type EvaluateText = (text: string) => unknown;

export const asPython: EvaluateText = evaluatePython;

/** A client's view of an event: its traits by name, with texts that look like a list or a dictionary evaluated. */
export const readTraits = ({ reason_data }: Alarm, evaluate: EvaluateText): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    reason_data.event.traits.map(([name, , value]) => [
      name,
      typeof value === 'string' && /^[[{]/.test(value) ? evaluate(value) : value,
    ]),
  );
