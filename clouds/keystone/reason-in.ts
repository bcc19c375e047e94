/** Finds the reason of a refusal in the answer of an OpenStack service. */
import type { HttpAnswer } from '../http/exchange';

const mostWords = 1_000;

/**
 * Keystone writes `{ error: { message } }`, Nova `{ badRequest: { message } }`, placement `{ errors: [{ detail }] }`.
 */
const wordsIn = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of ['message', 'detail']) {
    const text: unknown = Reflect.get(value, key);
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  for (const part of Object.values(value)) {
    const words = wordsIn(part);
    if (words !== undefined) return words;
  }
  return undefined;
};

/** The reason that the body of a service's answer gives. */
export const reasonIn = ({ body, status }: HttpAnswer): string => {
  const words = typeof body === 'string' ? body.replace(/<[^>]*>/g, ' ').trim() : wordsIn(body);
  return (words === undefined || words === '' ? `HTTP ${status} without a reason` : words).slice(0, mostWords);
};
