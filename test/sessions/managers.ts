/** The behaviour of projects' managers when some of their instances are asked about. */
import type { Action, Instance } from '../../rules/decisions/fleet/fleet';
import { pick, type Random } from '../builders/random';

/**
 * prompt: answers within its window. silent: never. late: when its window is over. busy: refuses once, then answers.
 * refusing: always refuses. lying: answers with nothing that counts, or says that it acts itself and does not.
 */
export const manners = ['prompt', 'silent', 'late', 'busy', 'refusing', 'lying'] as const;
export type Manner = (typeof manners)[number];

const offered: readonly Action[] = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'];

export class Managers {
  readonly #mannerOf = new Map<string, Manner>();
  readonly #refused = new Set<string>();

  constructor(
    private readonly choose: (projectId: string) => Manner,
    private readonly random: Random,
  ) {}

  mannerOf(projectId: string): Manner {
    const manner = this.#mannerOf.get(projectId) ?? this.choose(projectId);
    this.#mannerOf.set(projectId, manner);
    return manner;
  }

  answerMs({ projectId }: Instance, windowSeconds: number): number | null {
    const windowMs = windowSeconds * 1000;
    const afterMs = Math.floor(this.random() * windowMs);
    switch (this.mannerOf(projectId)) {
      case 'silent':
        return null;
      case 'late':
        return windowMs + 1 + afterMs;
      case 'lying':
        return this.random() < 0.5 ? null : afterMs;
      case 'prompt':
      case 'busy':
      case 'refusing':
        return afterMs;
    }
  }

  isRefused(instances: readonly Instance[]): boolean {
    const manner = this.mannerOf(instances[0]?.projectId ?? '');
    const ids = instances.map(({ id }) => id).join(' ');
    const isFirst = !this.#refused.has(ids);
    this.#refused.add(ids);
    return manner === 'refusing' || (manner === 'busy' && isFirst);
  }

  actionOf({ projectId }: Instance, admitted: Action, isAnswered: boolean): Action {
    if (!isAnswered) return admitted;
    return this.mannerOf(projectId) === 'lying' ? 'OWN_ACTION' : pick(offered, this.random);
  }
}
