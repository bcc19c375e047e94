/**
 * A manager (VNFM) as they exist in the field, with its oddities as habits. It knows the service by alarms and HTTP
 * alone, so it can be run against any cloud; what it does to instances of its own is handed in.
 */
import { type Alarm, type EvaluateText, readTraits } from './alarm';
import { type AlarmEndpoint, listenForAlarms } from './alarm-endpoint';
import { createServiceCalls, type ServiceCalls } from './service-calls';

export interface Habits {
  /** Writes its constraints at the beginning, all calls in parallel, and deletes them at the end, the group first. */
  readonly storesConstraints: boolean;
  /** Sends each answer to PREPARE and PLANNED again when the next event comes, and answers INSTANCE_ACTION_DONE. */
  readonly repeatsItself: boolean;
  /** After this number of SCALE_INs it scales out at MAINTENANCE_COMPLETE, and never says so. */
  readonly silentAfterScaleIns: number;
  /** Its record is not ACTIVE when the first question comes, which it therefore answers NACK. */
  readonly busyAtFirst: boolean;
  /** The alarm is answered when the reply has been sent; else at once. */
  readonly repliesInHandler: boolean;
  readonly evaluate: EvaluateText;
  readonly trailingSlash: boolean;
  /** Chosen for every instance. */
  readonly action: 'LIVE_MIGRATE' | 'MIGRATE';
}

/** A manager that stores the constraints of a VNF descriptor, and repeats its replies. */
export const proxyingHabits: Omit<Habits, 'evaluate'> = {
  storesConstraints: true,
  repeatsItself: true,
  silentAfterScaleIns: 2,
  busyAtFirst: true,
  repliesInHandler: false,
  trailingSlash: true,
  action: 'MIGRATE',
};

/** A manager without constraints, which replies before its handler returns. */
export const plainHabits: Omit<Habits, 'evaluate'> = {
  storesConstraints: false,
  repeatsItself: false,
  silentAfterScaleIns: Number.POSITIVE_INFINITY,
  busyAtFirst: false,
  repliesInHandler: true,
  trailingSlash: false,
  action: 'LIVE_MIGRATE',
};

/** The changes that the manager makes to its instances in the cloud. */
export interface OwnCloud {
  ownInstanceIds(): Promise<readonly string[]>;
  /** Deletes one instance. */
  scaleIn(): Promise<void>;
  /** Makes one instance. */
  scaleOut(): Promise<void>;
}

export interface FieldClientOptions {
  /** The service's address, with /v1. */
  readonly serviceUrl: string;
  readonly projectId: string;
  readonly groupId: string;
  readonly cloud: OwnCloud;
  readonly habits: Habits;
  /** The time from a failed call to its repeat, 5000 in the field. */
  readonly retryMs: number;
  readonly token?: string;
}

export interface FieldClient {
  /** The address to which its alarm is posted. */
  readonly alarmUrl: string;
  readonly calls: ServiceCalls['made'];
  /** States that it was told, in order. */
  readonly told: readonly string[];
  /** The failures: every event that it could not read or does not know. */
  readonly failures: readonly string[];
  /** The `metadata` of each event, evaluated. */
  readonly hints: readonly unknown[];
  storeConstraints(): Promise<void>;
  deleteConstraints(): Promise<void>;
  close(): Promise<void>;
}

interface Event {
  readonly state: string;
  readonly sessionId: string;
  readonly replyUrl: string;
  /** A link, one ID, a list, or ''. */
  readonly instanceIds: string | readonly string[];
  readonly allowedActions: readonly string[];
}

const textOf = (traits: Readonly<Record<string, unknown>>, name: string): string => {
  const value = traits[name];
  if (typeof value !== 'string') throw new Error(`KeyError: ${name}`);
  return value;
};

const listOf = (value: unknown, name: string): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  throw new Error(`${name} is no list: ${String(value)}`);
};

const toEvent = (traits: Readonly<Record<string, unknown>>): Event => {
  const { instance_ids: ids } = traits;
  return {
    state: textOf(traits, 'state'),
    sessionId: textOf(traits, 'session_id'),
    replyUrl: textOf(traits, 'reply_url'),
    instanceIds: Array.isArray(ids) ? listOf(ids, 'instance_ids') : textOf(traits, 'instance_ids'),
    allowedActions: listOf(traits['allowed_actions'], 'allowed_actions'),
  };
};

class Manager {
  readonly told: string[] = [];
  readonly hints: unknown[] = [];
  readonly calls: ServiceCalls;
  readonly #options: FieldClientOptions;
  #isActive: boolean;
  #scaleIns = 0;
  #repeat: (() => Promise<void>) | undefined;

  constructor(options: FieldClientOptions) {
    const { retryMs, token, habits } = options;
    const { trailingSlash } = habits;
    this.#options = options;
    this.#isActive = !habits.busyAtFirst;
    this.calls = createServiceCalls({ retryMs, trailingSlash, ...(token !== undefined && { token }) });
  }

  async handle(alarm: Alarm): Promise<void> {
    const traits = readTraits(alarm, this.#options.habits.evaluate);
    const event = toEvent(traits);
    this.told.push(event.state);
    this.hints.push(traits['metadata']);
    await this.#repeatLast();
    await this.#answer(event);
  }

  #answer(event: Event): Promise<void> {
    switch (event.state) {
      case 'MAINTENANCE':
        return this.#agreeToMaintenance(event);
      case 'SCALE_IN':
        return this.#scaleIn(event);
      case 'PREPARE_MAINTENANCE':
      case 'PLANNED_MAINTENANCE':
        return this.#chooseActions(event);
      case 'MAINTENANCE_COMPLETE':
        return this.#scaleBack(event);
      case 'INSTANCE_ACTION_DONE':
        return this.#options.habits.repeatsItself ? this.#reply(event, 'ACK') : Promise.resolve();
      default:
        throw new Error(`unknown state ${event.state}`);
    }
  }

  /** A list with an instance that is not its own is refused. */
  async #agreeToMaintenance(event: Event): Promise<void> {
    const own = new Set(await this.#options.cloud.ownInstanceIds());
    const listed = await this.#listed(event);
    await this.#reply(event, listed.every((id) => own.has(id)) ? 'ACK' : 'NACK');
  }

  async #scaleIn(event: Event): Promise<void> {
    if (this.#isActive) {
      this.#scaleIns += 1;
      await this.#options.cloud.scaleIn();
    }
    await this.#reply(event, 'ACK');
  }

  async #chooseActions(event: Event): Promise<void> {
    const ids = await this.#listed(event);
    const { action } = this.#options.habits;
    if (!event.allowedActions.includes(action))
      throw new Error(`${action} is not offered: ${String(event.allowedActions)}`);
    const actions = Array.isArray(event.instanceIds)
      ? { instance_action: action }
      : { instance_actions: Object.fromEntries(ids.map((id) => [id, action])) };
    await this.#reply(event, 'ACK', actions);
    if (this.#options.habits.repeatsItself) this.#repeat = () => this.#reply(event, 'ACK', actions);
  }

  async #scaleBack(event: Event): Promise<void> {
    for (let each = 0; each < this.#scaleIns; each += 1) await this.#options.cloud.scaleOut();
    if (this.#scaleIns < this.#options.habits.silentAfterScaleIns) await this.#reply(event, 'ACK');
  }

  async #repeatLast(): Promise<void> {
    const repeat = this.#repeat;
    this.#repeat = undefined;
    await repeat?.();
  }

  async #listed({ instanceIds }: Event): Promise<readonly string[]> {
    if (typeof instanceIds !== 'string') return instanceIds;
    const answer = await this.calls.get(this.#reachable(instanceIds));
    return (answer as { readonly instance_ids: readonly string[] } | undefined)?.instance_ids ?? [];
  }

  /** Replies with keys that nobody asked for. Says NACK whenever its record is not ACTIVE. */
  async #reply(event: Event, answer: 'ACK' | 'NACK', actions: object = {}): Promise<void> {
    const said = this.#isActive ? answer : 'NACK';
    this.#isActive = true;
    await this.calls.put(this.#reachable(event.replyUrl), {
      session_id: event.sessionId,
      instance_ids: event.instanceIds,
      state: `${said}_${event.state}`,
      ...actions,
    });
  }

  /** A test's service listens elsewhere than its links say. */
  #reachable(url: string): string {
    return url.replace(/^.*\/v1/, this.#options.serviceUrl);
  }

  /** The group's call is begun first; nobody waits for it. */
  async storeConstraints(): Promise<void> {
    const { serviceUrl, projectId, groupId, cloud } = this.#options;
    const group = {
      project_id: projectId,
      group_id: groupId,
      group_name: 'field',
      anti_affinity_group: false,
      max_instances_per_host: 0,
      max_impacted_members: 1,
      recovery_time: 0,
      resource_mitigation: false,
    };
    const instance = (id: string) => ({
      instance_id: id,
      project_id: projectId,
      group_id: groupId,
      instance_name: `field-${id}`,
      max_interruption_time: 15,
      migration_type: 'MIGRATE',
      resource_mitigation: false,
      lead_time: 10,
    });
    const ids = await cloud.ownInstanceIds();
    await Promise.all([
      this.calls.put(`${serviceUrl}/instance_group/${groupId}`, group),
      ...ids.map((id) => this.calls.put(`${serviceUrl}/instance/${id}`, instance(id))),
    ]);
  }

  async deleteConstraints(): Promise<void> {
    const { serviceUrl, groupId, cloud } = this.#options;
    const ids = await cloud.ownInstanceIds();
    await this.calls.delete(`${serviceUrl}/instance_group/${groupId}`);
    await Promise.all(ids.map((id) => this.calls.delete(`${serviceUrl}/instance/${id}`)));
  }
}

export const startFieldClient = async (options: FieldClientOptions): Promise<FieldClient> => {
  const manager = new Manager(options);
  const failures: string[] = [];
  const { storesConstraints, repliesInHandler } = options.habits;
  let work = Promise.resolve();

  /** Handles one event after the other, also if the alarm is answered at once. */
  const handle = (alarm: Alarm): Promise<void> => {
    const handled = work.then(() => manager.handle(alarm));
    work = handled.catch((error: unknown) => void failures.push(String(error)));
    return repliesInHandler ? handled : Promise.resolve();
  };

  const endpoint: AlarmEndpoint = await listenForAlarms(handle);
  return {
    alarmUrl: endpoint.url,
    calls: manager.calls.made,
    told: manager.told,
    hints: manager.hints,
    failures,
    storeConstraints: () => (storesConstraints ? manager.storeConstraints() : Promise.resolve()),
    deleteConstraints: () => (storesConstraints ? manager.deleteConstraints() : Promise.resolve()),
    async close() {
      await endpoint.close();
      await work;
    },
  };
};
