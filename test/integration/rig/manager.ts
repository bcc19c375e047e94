/** A project's manager (VNFM): follows the event stream as its project and replies over HTTP by its policy. */
import { followEvents } from './event-stream';

export interface PlannedEvent {
  readonly message_id: string;
  readonly state: string;
  readonly session_id: string;
  readonly project_id: string;
  readonly reply_url: string;
  readonly reply_at: string;
  readonly actions_at: string;
  readonly instance_ids: string | readonly string[];
  readonly allowed_actions: readonly string[];
  readonly not_before_latest?: string;
}

/** `actions` maps instances to actions, also for a single one. */
export interface ManagerAnswer {
  readonly answer: 'ACK' | 'NACK';
  readonly actions?: Readonly<Record<string, string>>;
  /** The instances are not to be impacted before this time. */
  readonly notBefore?: Date;
  /** The manager does nothing after its reply, so nobody waits for the end of its window either. */
  readonly isAll?: true;
}

/** undefined: it leaves the question open. 'silent': it will never answer, and nobody waits for that. */
type Decision = ManagerAnswer | 'silent' | undefined;

export type Policy = (event: PlannedEvent, manager: Manager) => Decision | Promise<Decision>;

export interface Manager {
  /** Everything that the project was told, in order. */
  readonly told: readonly PlannedEvent[];
  /** Its own log of answers, with the status that each got. */
  readonly replies: readonly { readonly event: PlannedEvent; readonly status: number }[];
  /** The instances that a project-wide question is about, by its link. */
  instancesOf(event: PlannedEvent): Promise<readonly string[]>;
  stop(): void;
}

const questions = new Set([
  'MAINTENANCE',
  'SCALE_IN',
  'PREPARE_MAINTENANCE',
  'PLANNED_MAINTENANCE',
  'MAINTENANCE_COMPLETE',
]);

/** Agrees to everything, and frees nothing where it is asked to. */
export const acknowledge: Policy = ({ state }) => ({ answer: 'ACK', ...(state === 'SCALE_IN' && { isAll: true }) });
export const staySilent: Policy = () => 'silent';

export interface ManagerOptions {
  /** The API, with /v1. */
  readonly url: string;
  readonly projectId: string;
  readonly policy: Policy;
  /** Called where nothing more is to come from the manager; left out: the window comes to its end by itself. */
  readonly endWindow?: (event: PlannedEvent) => Promise<void>;
}

export const startManager = ({ url, projectId, policy, endWindow }: ManagerOptions): Manager => {
  const told: PlannedEvent[] = [];
  const replies: { event: PlannedEvent; status: number }[] = [];
  const stopped = new AbortController();
  const manager: Manager = {
    told,
    replies,
    async instancesOf(event) {
      if (typeof event.instance_ids !== 'string') return event.instance_ids;
      const link = event.instance_ids.replace(/^.*\/v1/, url);
      const response = await fetch(link);
      return ((await response.json()) as { instance_ids: string[] }).instance_ids;
    },
    stop: () => stopped.abort(),
  };
  const react = async (event: PlannedEvent): Promise<void> => {
    told.push(event);
    if (!questions.has(event.state)) return;
    const decided = await policy(event, manager);
    if (decided === undefined) return;
    if (decided === 'silent') return endWindow?.(event);
    const status = await reply(event.reply_url.replace(/^.*\/v1/, url), event, decided);
    replies.push({ event, status });
    if (decided.isAll === true) await endWindow?.(event);
  };
  void followEvents({
    url: `${url}/events?project_id=${projectId}`,
    signal: stopped.signal,
    // An operator may rename the type of these events.
    tell({ message_id, payload }) {
      if ('reply_url' in payload) void react({ ...(payload as unknown as PlannedEvent), message_id });
    },
  });
  return manager;
};

/** Its reply_url is the instance's own. */
const isAboutOneInstance = (
  event: PlannedEvent,
): event is PlannedEvent & { readonly instance_ids: readonly string[] } => typeof event.instance_ids !== 'string';

const reply = async (replyUrl: string, event: PlannedEvent, decided: ManagerAnswer): Promise<number> => {
  const body = {
    session_id: event.session_id,
    state: `${decided.answer}_${event.state}`,
    ...(decided.notBefore && { not_before: decided.notBefore.toISOString() }),
    ...(isAboutOneInstance(event)
      ? { instance_action: decided.actions?.[event.instance_ids[0]!] }
      : { instance_actions: decided.actions ?? {} }),
  };
  const response = await fetch(replyUrl, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.status;
};
