/**
 * The answers of Nova and placement, with the fields that the driver reads (micro-versions 2.53 to 2.87, of servers to
 * 2.100, placement 1.10 to 1.36).
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { parserOf } from '../../http/parse-answer';

const text = Type.String();
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const parseVersionDocument = parserOf(
  "Nova's version document",
  Type.Object({ version: Type.Object({ version: text, min_version: text }) }),
);

/** The link from one page of a list to the next. */
const links = Type.Optional(Type.Array(Type.Object({ rel: text, href: text })));
export type PageLinks = Static<typeof links> | undefined;

/** Nova lists no more than the names (since 2.69), with the status UNKNOWN, when their cell does not answer. */
const service = Type.Object({
  id: Type.Optional(text),
  binary: text,
  host: text,
  /** enabled or disabled: the operator's wish. UNKNOWN: its cell does not answer. */
  status: text,
  /** up or down: the present state. */
  state: Type.Optional(text),
  disabled_reason: maybe(text),
  /** When it last reported, without a zone: UTC. Null: never. */
  updated_at: maybe(text),
});
export type NovaService = Static<typeof service>;
export const parseServices = parserOf("Nova's services", Type.Object({ services: Type.Array(service) }));

/** Its numbers are read where placement tells none: one that is missing is an amount that nobody knows. */
const hypervisor = Type.Object({
  id: text,
  hypervisor_type: text,
  service: Type.Object({ host: text }),
  vcpus: maybe(Type.Number()),
  vcpus_used: maybe(Type.Number()),
  memory_mb: maybe(Type.Number()),
  memory_mb_used: maybe(Type.Number()),
  local_gb: maybe(Type.Number()),
  local_gb_used: maybe(Type.Number()),
});
export type NovaHypervisor = Static<typeof hypervisor>;
export const parseHypervisors = parserOf(
  "Nova's hypervisors",
  Type.Object({ hypervisors: Type.Array(hypervisor), hypervisors_links: links }),
);
export const parseHypervisor = parserOf("Nova's hypervisor", Type.Object({ hypervisor }));

const server = Type.Object({
  id: text,
  name: maybe(text),
  tenant_id: text,
  status: text,
  /**
   * Null before a host was found for the server, and when it was shelved. Nova leaves it out for a login that may not
   * see it, so whoever reads servers makes sure that it is there (servers.ts).
   */
  'OS-EXT-SRV-ATTR:host': maybe(text),
  'OS-EXT-STS:task_state': maybe(text),
  /** UTC when it has no zone. */
  created: maybe(text),
  /** 1: the hypervisor says that the server runs. */
  'OS-EXT-STS:power_state': maybe(Type.Number()),
  flavor: Type.Object({
    original_name: text,
    vcpus: Type.Number(),
    /** Megabytes. */
    ram: Type.Number(),
    /** Gigabytes, like the next one. */
    disk: Type.Optional(Type.Number()),
    ephemeral: Type.Optional(Type.Number()),
    /** Megabytes. */
    swap: Type.Optional(Type.Unknown()),
    /** Present when policy lets the service read them. */
    extra_specs: Type.Optional(Type.Record(text, text)),
  }),
  fault: maybe(Type.Object({ message: maybe(text) })),
  /** Nova moves a locked server for administrators alone. */
  locked: maybe(Type.Boolean()),
  /** Empty text where it was made from a volume (server-image.ts). */
  image: Type.Optional(Type.Unknown()),
  /** The zone that it is in. */
  'OS-EXT-AZ:availability_zone': maybe(text),
  /** The zone that it was created for (since 2.96). Null: any. */
  pinned_availability_zone: maybe(text),
  /** Known since 2.100. */
  scheduler_hints: maybe(Type.Record(text, Type.Unknown())),
});
/** One without a name is called by its ID (servers.ts). */
export type NovaServer = Static<typeof server> & { readonly name: string };
export const parseServerItself = parserOf("Nova's server", server);

/** A server as far as every answer tells it, also of a cell that does not answer (status UNKNOWN). */
const outlinedServer = Type.Object({ id: text, status: text, name: maybe(text) });
export type OutlinedServer = Static<typeof outlinedServer>;
export const parseOutlinedServer = parserOf("Nova's server", outlinedServer);
/** Each is read by itself (servers.ts). */
export const parseServers = parserOf(
  "Nova's servers",
  Type.Object({ servers: Type.Array(Type.Unknown()), servers_links: links }),
);
export const parseServer = parserOf("Nova's server", Type.Object({ server: outlinedServer }));

const serverGroup = Type.Object({
  id: text,
  name: text,
  project_id: text,
  members: Type.Array(text),
  /** Known since 2.64; before that a list, `policies`. */
  policy: maybe(text),
  policies: maybe(Type.Array(text)),
  rules: maybe(Type.Object({ max_server_per_host: maybe(Type.Number()) })),
});
export type NovaServerGroup = Static<typeof serverGroup>;
export const parseServerGroups = parserOf(
  "Nova's server groups",
  Type.Object({ server_groups: Type.Array(serverGroup) }),
);

const aggregate = Type.Object({
  /** The ID of the same aggregate in placement. */
  uuid: maybe(text),
  name: maybe(text),
  /** Null: none, like the next one. */
  hosts: maybe(Type.Array(text)),
  metadata: maybe(Type.Record(text, text)),
});
export interface NovaAggregate {
  readonly uuid?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly hosts: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}
export const parseAggregates = parserOf("Nova's aggregates", Type.Object({ aggregates: Type.Array(aggregate) }));

const listedAction = Type.Object({
  action: text,
  request_id: text,
  user_id: maybe(text),
  /** UTC when it has no zone. */
  start_time: text,
});
export type ListedAction = Static<typeof listedAction>;
export const parseListedActions = parserOf(
  "Nova's actions of a server",
  Type.Object({ instanceActions: Type.Array(listedAction) }),
);

const actionEvent = Type.Object({ event: text, result: maybe(text), details: maybe(text) });
const action = Type.Object({
  message: maybe(text),
  /** UTC when it has no zone. */
  start_time: maybe(text),
  events: Type.Optional(Type.Array(actionEvent)),
});
export type NovaAction = Static<typeof action>;
export const parseAction = parserOf("Nova's action", Type.Object({ instanceAction: action }));

const migration = Type.Object({
  status: text,
  migration_type: maybe(text),
  created_at: text,
  /** Null before a target was chosen, and when policy hides hosts. */
  dest_compute: maybe(text),
});
export type NovaMigration = Static<typeof migration>;
export const parseMigrations = parserOf("Nova's migrations", Type.Object({ migrations: Type.Array(migration) }));

/** What the hypervisor says of the server (since 2.48). */
export const parseDiagnostics = parserOf("Nova's diagnostics of a server", Type.Object({ state: text }));

const runningMigration = Type.Object({
  id: Type.Number(),
  status: text,
  /** Null before the hypervisor tells them, which it does every few seconds. */
  memory_remaining_bytes: maybe(Type.Number()),
  memory_total_bytes: maybe(Type.Number()),
  disk_remaining_bytes: maybe(Type.Number()),
  disk_total_bytes: maybe(Type.Number()),
});
export type NovaRunningMigration = Static<typeof runningMigration>;
/** Reads /servers/{id}/migrations: live migrations in flight. */
export const parseRunningMigrations = parserOf(
  "Nova's running migrations",
  Type.Object({ migrations: Type.Array(runningMigration) }),
);

const inventory = Type.Object({ total: Type.Number(), reserved: Type.Number(), allocation_ratio: Type.Number() });
export type Inventory = Static<typeof inventory>;
export const parseInventories = parserOf(
  "placement's inventories",
  Type.Object({ inventories: Type.Record(text, inventory) }),
);
export const parseUsages = parserOf("placement's usages", Type.Object({ usages: Type.Record(text, Type.Number()) }));

export const parseTraits = parserOf("placement's traits", Type.Object({ traits: Type.Array(text) }));

/** A provider with the root of its tree (since 1.14): a device of a host may be a provider of its own. */
const provider = Type.Object({ uuid: text, root_provider_uuid: maybe(text) });
export type ResourceProvider = Static<typeof provider>;
export const parseProviders = parserOf(
  "placement's resource providers",
  Type.Object({ resource_providers: Type.Array(provider) }),
);

/** Candidates with the root of each provider (since 1.29). */
const candidates = Type.Object({
  allocation_requests: Type.Array(Type.Object({ allocations: Type.Record(text, Type.Unknown()) })),
  provider_summaries: Type.Record(text, Type.Object({ root_provider_uuid: maybe(text) })),
});
export type AllocationCandidates = Static<typeof candidates>;
export const parseCandidates = parserOf("placement's allocation candidates", candidates);

export const parsePlacementVersions = parserOf(
  "placement's version document",
  Type.Object({ versions: Type.Array(Type.Object({ max_version: Type.Optional(text) })) }),
);

/** Reads /resource_providers/{id}/allocations: by the ID of the consumer, a server or a migration. */
export const parseAllocations = parserOf(
  "placement's allocations",
  Type.Object({ allocations: Type.Record(text, Type.Unknown()) }),
);

const placedMigration = Type.Object({
  /** The consumer (since 2.59) under which placement keeps the amounts on the host that the server leaves. */
  uuid: Type.Optional(text),
  instance_uuid: text,
  status: text,
  migration_type: maybe(text),
  /** Null when policy hides hosts. */
  source_compute: maybe(text),
});
export type PlacedMigration = Static<typeof placedMigration>;
export const parsePlacedMigrations = parserOf(
  "Nova's migrations of a host",
  Type.Object({ migrations: Type.Array(placedMigration), migrations_links: links }),
);

/** A server in /os-hypervisors/{id}?with_servers=true. Before 2.75 the list is left out when it is empty. */
const hypervisorServer = Type.Object({ uuid: text, name: maybe(text) });
export type HypervisorServer = Static<typeof hypervisorServer>;
export const parseServersOfHypervisor = parserOf(
  "the servers of Nova's hypervisor",
  Type.Object({ hypervisor: Type.Object({ servers: maybe(Type.Array(hypervisorServer)) }) }),
);
