/** Reads from the trace of a play what happens to each host and instance of the planned session. */
import {
  type Action,
  type Host,
  type HostPhase,
  type Instance,
  phasesDone,
  type SessionState,
} from '../../decisions/fleet/fleet';
import { replyWindowOfInstance } from '../../questions/reply-window';
import type { TraceEvent } from '../virtual-world';
import type { ExpectedPace } from './expected-pace';
import type { PlanInput, PlannedHost, PlannedMove, PlannedQuestion, Span } from './plan';

/** The steps of a session on its hosts and instances, in the order in which they begin. */
export interface Course {
  readonly hosts: readonly PlannedHost[];
  readonly moves: readonly PlannedMove[];
  readonly questions: readonly PlannedQuestion[];
}

interface Reading {
  readonly input: PlanInput;
  /** The session's hosts. */
  readonly own: readonly Host[];
  readonly trace: readonly TraceEvent[];
  readonly states: readonly { readonly state: SessionState; readonly fromMs: number }[];
  readonly times: ExpectedPace;
  /** The hosts, by name, when the session has come to its end, or stopped. */
  readonly atEnd: ReadonlyMap<string, Host>;
}

export const readCourse = (reading: Reading): Course => {
  const reader = new CourseReader(reading);
  for (const event of reading.trace) reader.read(event);
  return { hosts: reader.hosts(), moves: reader.moves, questions: reader.questions };
};

interface HostCourse {
  readonly host: Host;
  disabledAtMs?: number;
  begunAtMs?: number;
  endedAtMs?: number;
  moves: number;
}

class CourseReader {
  readonly moves: PlannedMove[] = [];
  readonly questions: PlannedQuestion[] = [];
  readonly #hosts: ReadonlyMap<string, HostCourse>;
  readonly #instances: ReadonlyMap<string, Instance>;
  /** The host of each instance by then. */
  readonly #hostOf: Map<string, string>;
  readonly #begun = new Map<string, PlannedMove>();

  constructor(private readonly reading: Reading) {
    const { own, input } = reading;
    this.#hosts = new Map(own.map((host) => [host.name, { host, moves: 0, ...begunBefore(host, input.nowMs) }]));
    this.#instances = new Map(input.fleet.instances.map((instance) => [instance.id, instance]));
    this.#hostOf = new Map(input.fleet.instances.map(({ id, host }) => [id, host]));
  }

  read(event: TraceEvent): void {
    this.#readers[event.event]?.(event, this.reading.input.nowMs + event.t * 1000);
  }

  /** Sorts hosts: first those that are worked on, in the order in which they are disabled, then the others by name. */
  hosts(): readonly PlannedHost[] {
    const courses = [...this.#hosts.values()];
    const beginOf = ({ disabledAtMs, begunAtMs }: HostCourse): number => disabledAtMs ?? begunAtMs ?? Infinity;
    return courses
      .toSorted((one, other) => (beginOf(one) === beginOf(other) ? 0 : beginOf(one) - beginOf(other)))
      .map((course) => toPlanned(course, this.reading.atEnd.get(course.host.name)));
  }

  readonly #readers: Partial<Record<string, (event: TraceEvent, atMs: number) => void>> = {
    disable: ({ host }, atMs) => this.#change(host, { disabledAtMs: atMs }),
    maintenance_start: ({ host }, atMs) => this.#change(host, { begunAtMs: atMs }),
    maintenance_end: ({ host }, atMs) => this.#change(host, { endedAtMs: atMs }),
    notify: ({ instance }, atMs) => this.#noteQuestion(String(instance), atMs),
    notify_project: (event, atMs) => this.#noteProjectQuestion(event, atMs),
    move_start: (event, atMs) => this.#beginMove(event, atMs),
    move_end: ({ instance }, atMs) => this.#endMove(String(instance), atMs),
  };

  #change(hostname: TraceEvent[string] | undefined, change: Partial<HostCourse>): void {
    const course = this.#hosts.get(String(hostname));
    if (course) Object.assign(course, change);
  }

  #noteQuestion(instanceId: string, askedAtMs: number): void {
    const instance = this.#instances.get(instanceId);
    const hostname = this.#hostOf.get(instanceId);
    if (!instance || hostname === undefined || !this.#hosts.has(hostname)) return;
    const { replySeconds } = this.reading.input;
    this.questions.push({
      projectId: instance.projectId,
      instanceId,
      instanceName: instance.name,
      hostname,
      askedAtMs,
      state: this.#askedStateAt(askedAtMs),
      windowSeconds: replyWindowOfInstance(instance, replySeconds),
      isAnswered: this.#isAnsweredAtOnce(instanceId) || !this.reading.times.isSilent(instance.projectId),
    });
  }

  #noteProjectQuestion({ host, project, window, instances }: TraceEvent, askedAtMs: number): void {
    const [hostname, projectId] = [String(host), String(project)];
    const asked = String(instances).split(' ');
    if (!this.#hosts.has(hostname)) return;
    this.questions.push({
      projectId,
      hostname,
      askedAtMs,
      windowSeconds: Number(window),
      state: this.#askedStateAt(askedAtMs),
      isAnswered: asked.every((id) => this.#isAnsweredAtOnce(id)) || !this.reading.times.isSilent(projectId),
    });
  }

  #isAnsweredAtOnce(instanceId: string): boolean {
    return this.#instances.get(instanceId)?.byTerms?.atOnce === true;
  }

  #beginMove({ instance: id, from, to, action }: TraceEvent, atMs: number): void {
    const instance = this.#instances.get(String(id));
    const course = this.#hosts.get(String(from));
    if (!instance || !course) return;
    course.moves += 1;
    const isUnderWay = atMs === this.reading.input.nowMs;
    const fromMs = isUnderWay ? (this.reading.input.claimedAtMs.get(instance.id) ?? atMs) : atMs;
    this.#begun.set(instance.id, {
      instanceId: instance.id,
      instanceName: instance.name,
      projectId: instance.projectId,
      action: String(action) as Action,
      source: String(from),
      span: { fromMs, toMs: atMs },
      ...(to !== '' && { target: String(to) }),
    });
  }

  #endMove(instanceId: string, toMs: number): void {
    const move = this.#begun.get(instanceId);
    if (!move) return;
    this.#begun.delete(instanceId);
    this.moves.push({ ...move, span: { ...move.span, toMs } });
    if (move.target !== undefined) this.#hostOf.set(instanceId, move.target);
  }

  /** START_MAINTENANCE is no state that projects are asked about. */
  #askedStateAt(atMs: number): SessionState {
    const { state = 'PREPARE_MAINTENANCE' } = this.reading.states.findLast(({ fromMs }) => fromMs <= atMs) ?? {};
    return state === 'START_MAINTENANCE' ? 'PREPARE_MAINTENANCE' : state;
  }
}

/** A drain that is under way counts from now on. */
const begunBefore = ({ work }: Host, nowMs: number): Partial<HostCourse> => {
  if (work?.phase === 'maintaining') return { begunAtMs: work.announcedAtMs ?? nowMs };
  return work?.phase === 'emptying' ? { disabledAtMs: nowMs } : {};
};

const toPlanned = (course: HostCourse, atEnd: Host | undefined): PlannedHost => {
  const { host, disabledAtMs, begunAtMs, endedAtMs, moves } = course;
  const phase: HostPhase = host.work?.phase ?? 'waiting';
  return {
    hostname: host.name,
    type: host.type,
    phase,
    moves,
    ...spanOf('drain', disabledAtMs, begunAtMs),
    ...spanOf('maintenance', begunAtMs, endedAtMs),
    ...endOf(atEnd),
  };
};

const endOf = (host: Host | undefined): Pick<PlannedHost, 'endsAs'> => {
  const endsAs = phasesDone.find((phase) => phase === host?.work?.phase);
  return endsAs === undefined ? {} : { endsAs };
};

/** Both ends have to be known. */
const spanOf = <Name extends string>(
  name: Name,
  fromMs: number | undefined,
  toMs: number | undefined,
): Partial<Record<Name, Span>> =>
  fromMs === undefined || toMs === undefined || fromMs > toMs
    ? {}
    : ({ [name]: { fromMs, toMs } } as Record<Name, Span>);
