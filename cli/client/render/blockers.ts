/** Writes blockers as text, the same for a plan and for one look at a session. */
import type { BlockerBody } from '../../../api/schemas/blocker-schema';
import { ownerInWords } from '../../../rules/obstacles/owner';
import { asSeen } from '../../../rules/words/what-they-see';
import type { Look } from './look';
import { wrap } from './table';
import { sentence } from './terminal-text';

export const blockerLines = (blockers: readonly BlockerBody[], { columns, paint }: Look): string[] =>
  blockers.flatMap(({ severity, because, help, ...owned }) =>
    [`${severity}: ${asSeen(because, 'terminal')}`, `  up to ${ownerInWords(owned)}: ${asSeen(help, 'terminal')}`]
      .flatMap((line) => wrap(sentence(line), columns, 4))
      .map((line) => paint.severity(line, severity)),
  );
