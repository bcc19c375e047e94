/** States of sessions in words. */

/** PLANNED_MAINTENANCE as planned maintenance. */
export const stateInWords = (state: string): string => state.toLowerCase().replaceAll('_', ' ');

/** Says `replied ACK_MAINTENANCE` as `agreed to maintenance`, and `answered NACK_…` as `refused …`. */
export const repliesInWords = (text: string): string =>
  text
    .replaceAll(
      /\b(?:replied|answered) (N?)ACK_([A-Z]+(?:_[A-Z]+)*)/g,
      (_, refuses: string, state: string) => `${refuses === '' ? 'agreed to' : 'refused'} ${stateInWords(state)}`,
    )
    .replaceAll(
      /\b(questions? of) ([A-Z]+(?:_[A-Z]+)*)/g,
      (_, of: string, state: string) => `${of} ${stateInWords(state)}`,
    );
