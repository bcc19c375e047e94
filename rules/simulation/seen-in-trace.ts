/** Reads from the trace of an earlier session, simulated or real, how long things take in a fleet. */
import { keyOf } from '../cloud/id';
import type { Action } from '../decisions/fleet/fleet';
import type { SeenAnswers, SeenMaintenance, SeenMoves, SeenTimes } from '../expectations/expected-times';
import type { FileFleet, FleetInstance } from './file-fleet';
import type { TraceEvent } from './simulate';
import { isAction } from './virtual-fleet';

/** Events about hosts and instances that the fleet does not have tell nothing. */
export const seenInTrace = (trace: readonly TraceEvent[], { hosts, instances }: FileFleet): SeenTimes => {
  const instanceOf = new Map(instances.map((instance) => [keyOf(instance.instanceId), instance]));
  const known: Known = (instanceId) => instanceOf.get(keyOf(instanceId));
  const spans = new SpanReader();
  for (const event of trace) spans.read(event);
  const typeOf = new Map(hosts.map(({ name, type }) => [name, type]));
  return {
    maintenances: spans.maintenances.flatMap(({ of: hostname, seconds }): SeenMaintenance[] => {
      const type = typeOf.get(hostname);
      return type === undefined ? [] : [{ hostname, type, seconds, isOfThisSession: false }];
    }),
    moves: movesIn(spans.moves, known),
    answers: answersIn(spans.questions, known),
  };
};

/** Something that began and ended, of a host or an instance. */
interface TracedSpan {
  readonly of: string;
  readonly seconds: number;
}

/** Each event is told to the reader of its kind. */
class SpanReader {
  readonly maintenances: TracedSpan[] = [];
  readonly moves: (TracedSpan & { readonly action: Action })[] = [];
  /** Questions; one that has no seconds was not answered. */
  readonly questions: (Partial<TracedSpan> & { readonly of: string })[] = [];
  readonly #begun = new Map<string, TraceEvent>();

  read(event: TraceEvent): void {
    const of = String(event['host'] ?? event['instance']);
    this.#readers[event.event]?.(event, of);
  }

  readonly #readers: Partial<Record<string, (event: TraceEvent, of: string) => void>> = {
    maintenance_start: (event, of) => this.#begin(event, of),
    maintenance_end: (event, of) => {
      const ended = this.#end('maintenance_start', event, of);
      if (ended) this.maintenances.push(ended);
    },
    notify: (event, of) => {
      this.#endQuestionInSilence(event, of);
      this.#begin(event, of);
    },
    reply: (event, of) => {
      const answered = this.#end('notify', event, of);
      if (answered) this.questions.push(answered);
    },
    move_start: (event, of) => {
      this.#endQuestionInSilence(event, of);
      this.#begin(event, of);
    },
    move_end: (event, of) => {
      const action = String(this.#begun.get(`move_start ${of}`)?.['action']);
      const ended = this.#end('move_start', event, of);
      if (ended && isAction(action) && hasArrived(event)) this.moves.push({ ...ended, action });
    },
  };

  #begin(event: TraceEvent, of: string): void {
    this.#begun.set(`${event.event} ${of}`, event);
  }

  /** Removes the begin of what has ended, so that an end counts once. */
  #end(begin: string, { t }: TraceEvent, of: string): TracedSpan | undefined {
    const begun = this.#begun.get(`${begin} ${of}`);
    this.#begun.delete(`${begin} ${of}`);
    return begun && { of, seconds: Math.round((t - begun.t) * 1000) / 1000 };
  }

  /** Whoever is asked again, or moved without a reply, has not answered. */
  #endQuestionInSilence(event: TraceEvent, of: string): void {
    if (this.#end('notify', event, of)) this.questions.push({ of });
  }
}

/** Real sessions mark an action that left the instance where it was, or found it gone. */
const hasArrived = (event: TraceEvent): boolean => event['stayed'] === undefined && event['gone'] === undefined;

type Known = (instanceId: string) => FleetInstance | undefined;

const movesIn = (moves: SpanReader['moves'], known: Known): SeenMoves[] => {
  const ofProjects = moves.flatMap(({ of, action, seconds }) => {
    const projectId = known(of)?.projectId;
    return projectId === undefined ? [] : [{ projectId, action, seconds }];
  });
  return groupsOf(ofProjects, ({ projectId, action }) => `${action} ${keyOf(projectId)}`).map(([first, ...rest]) => ({
    ...first,
    seconds: meanOf([first, ...rest].map(({ seconds }) => seconds)),
  }));
};

const answersIn = (questions: SpanReader['questions'], known: Known): SeenAnswers[] => {
  const ofProjects = questions.flatMap(({ of, seconds }) => {
    const projectId = known(of)?.projectId;
    return projectId === undefined ? [] : [{ projectId, seconds }];
  });
  return groupsOf(ofProjects, ({ projectId }) => keyOf(projectId)).map((asked) => {
    const answered = asked.flatMap(({ seconds }) => seconds ?? []);
    return {
      projectId: asked[0].projectId,
      seconds: answered.length === 0 ? undefined : meanOf(answered),
      silentShare: 1 - answered.length / asked.length,
    };
  });
};

const groupsOf = <T>(list: readonly T[], keyOfOne: (one: T) => string): [T, ...T[]][] => {
  const groups = new Map<string, [T, ...T[]]>();
  for (const one of list) {
    const group = groups.get(keyOfOne(one));
    if (group) group.push(one);
    else groups.set(keyOfOne(one), [one]);
  }
  return [...groups.values()];
};

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
