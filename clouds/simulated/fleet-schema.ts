/**
 * The schema of the fleet file. Fields that a hand-written fleet may leave out are optional, and `fleet-file.ts` fills
 * them in.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { uuidMeaning } from '../../rules/cloud/id';
import type { HostLabels } from '../../rules/selectors/labels';
import { simulatedActions } from '../../rules/simulation/simulated-actions';

const largestInteger = 2_147_483_647;
const closed = { additionalProperties: false } as const;

const uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-?)[0-9a-fA-F]{4}\\1[0-9a-fA-F]{4}\\1[0-9a-fA-F]{4}\\1[0-9a-fA-F]{12}$',
  description: uuidMeaning,
});
const name = Type.String({ minLength: 1, maxLength: 255 });
const integerFrom = (minimum: number) => Type.Integer({ minimum, maximum: largestInteger });
const seconds = Type.Number({ minimum: 0, maximum: largestInteger });
const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** Words, each once. */
const labels = Type.Array(name, { uniqueItems: true, description: 'a list of different words' });
const properties = Type.Unsafe<HostLabels>({
  type: 'object',
  additionalProperties: { type: 'string' },
  propertyNames: { minLength: 1 },
});
/** Further resources, by name. */
const amounts = Type.Unsafe<Readonly<Record<string, number>>>({
  type: 'object',
  additionalProperties: integerFrom(0),
});

const host = Type.Object(
  {
    name,
    type: Type.Union([Type.Literal('compute'), Type.Literal('controller')], { description: 'compute or controller' }),
    is_compute: maybe(Type.Boolean()),
    vcpus: integerFrom(0),
    memory_mb: integerFrom(0),
    maintain: maybe(Type.Boolean()),
    maintenance_s: maybe(seconds),
    enabled: maybe(Type.Boolean()),
    labels: maybe(labels),
    properties: maybe(properties),
    amounts: maybe(amounts),
  },
  closed,
);

const group = Type.Object(
  {
    group_id: uuid,
    project_id: uuid,
    group_name: name,
    anti_affinity_group: Type.Boolean(),
    max_instances_per_host: integerFrom(0),
    max_impacted_members: integerFrom(1),
    recovery_time: integerFrom(0),
    resource_mitigation: Type.Boolean(),
  },
  closed,
);

const policies = ['anti-affinity', 'affinity'] as const;

/** The rules that the cloud itself enforces, when they differ from the constraints in `groups`. */
const serverGroup = Type.Object(
  {
    server_group_id: uuid,
    server_group_name: name,
    project_id: uuid,
    policy: Type.Union(
      policies.map((policy) => Type.Literal(policy)),
      { description: `one of ${policies.join(', ')}` },
    ),
    max_instances_per_host: maybe(integerFrom(1)),
    instance_ids: Type.Array(uuid),
  },
  closed,
);

const { migrationTypes } = simulatedActions;

const instance = Type.Object(
  {
    instance_id: uuid,
    instance_name: name,
    project_id: uuid,
    group_id: maybe(uuid),
    host: name,
    flavor: maybe(name),
    vcpus: integerFrom(0),
    memory_mb: integerFrom(0),
    migration_type: maybe(
      Type.Union(
        migrationTypes.map((action) => Type.Literal(action)),
        { description: `one of ${migrationTypes.join(', ')}` },
      ),
    ),
    lead_time: maybe(integerFrom(0)),
    max_interruption_time: maybe(integerFrom(0)),
    resource_mitigation: maybe(Type.Boolean()),
    ready_s: maybe(Type.Union([seconds, Type.Null()], { description: 'a number of seconds, or null for never' })),
    move_s: seconds,
    fail_moves: maybe(integerFrom(0)),
    acts_itself: maybe(Type.Boolean()),
    refused_by: maybe(Type.Array(name)),
    needs: maybe(labels),
    amounts: maybe(amounts),
  },
  closed,
);

/** The name of a project, for people. */
const project = Type.Object({ project_id: uuid, name }, closed);

export const fleetSchema = Type.Object(
  {
    name,
    seed: maybe(Type.Integer()),
    projects: maybe(Type.Array(project)),
    hosts: Type.Array(host, { minItems: 1 }),
    groups: maybe(Type.Array(group)),
    server_groups: maybe(Type.Array(serverGroup)),
    instances: Type.Array(instance),
  },
  closed,
);

export type WireFleet = Static<typeof fleetSchema>;
export type WireHost = Static<typeof host>;
export type WireGroup = Static<typeof group>;
export type WireServerGroup = Static<typeof serverGroup>;
export type WireInstance = Static<typeof instance>;
