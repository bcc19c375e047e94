/** The header Parley-Reason: why somebody asks for a change, for the audit and the record of the session. */
import type { Request } from 'express';
import { invalidQuery } from '../problems/problem-catalogue';

const mostCharacters = 500;

/** Headers have ASCII only: other characters come percent-encoded. */
export const reasonHeader = {
  name: 'Parley-Reason',
  description:
    'Why, for people: it stands in the audit and in the record of the session. Percent-encoded, where it has other ' +
    'characters than those of ASCII',
  maxLength: 3 * mostCharacters,
} as const;

/**
 * Undefined where the request has no such header.
 *
 * @throws ApiError 400 where it is no text, or too long
 */
export const reasonOf = (req: Request): string | undefined => {
  const given = req.get(reasonHeader.name);
  if (given === undefined) return undefined;
  const text = decoded(given).trim();
  if (/^[^\p{Cc}]+$/u.test(text) && text.length <= mostCharacters) return text;
  const message = `must be 1 to ${mostCharacters} printable characters`;
  throw invalidQuery([{ pointer: `#header/${reasonHeader.name}`, message }]);
};

/** A percent sign may also be one. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
