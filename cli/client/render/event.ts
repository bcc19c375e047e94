/** An event as one line: time, session, and who it is about. */
import { eventInWords, sessionNameOf, sessionOf } from '../../../rules/words/events';
import { shortId } from '../../../rules/words/times';
import type { ReceivedEvent } from '../event-stream';
import { printable } from './terminal-text';

/** @param isOfOne the session need not be named */
export const eventLine = ({ type, envelope }: ReceivedEvent, isOfOne = false): string => {
  const { timestamp, payload } = envelope;
  const called = [shortId(sessionOf(payload)), sessionNameOf(payload)].filter((one) => one !== '').join(' ');
  const session = isOfOne ? [] : [called];
  return printable([timestamp.slice(11, 19), ...session, eventInWords(type, payload)].join('  '));
};
