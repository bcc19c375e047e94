/**
 * Additions to the create request with which an admin steers a session, and PATCH, which changes them while it runs.
 * All are optional. A new one is a field here, a column in prisma/session/session-steering.ts, and its way through
 * api/parsing/steering.ts; the create request, PATCH and the detail then have it.
 */
import {
  type Static,
  type TNull,
  type TOptional,
  type TSchema,
  type TUnion,
  type TUnsafe,
  Type,
} from '@sinclair/typebox';
import { ChoiceField, IdField, OwnIdField, TimeField } from '../../forms/field-types';
import { WindowSchema } from '../../forms/window-schema';

const closed = { additionalProperties: false } as const;

export const printablePattern = '^[^\\p{Cc}]*$';
export const mostReasonCharacters = 200;

const CanarySchema = Type.Object(
  {
    hosts: Type.Unsafe<number | string[]>({
      type: ['integer', 'array'],
      minimum: 1,
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
      description: 'How many hosts of the session, or which',
    }),
    then: Type.Optional(
      ChoiceField(
        ['continue', 'resume'],
        'Whether the session goes on by itself, or waits for resume; absent: continue',
      ),
    ),
    wait_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        description: 'With continue: seconds between the end of the canary and the next host; absent: 0',
      }),
    ),
  },
  {
    ...closed,
    description:
      'Hosts that are drained and maintained first and alone. When one of them is set aside, which max_failed_hosts has ' +
      'to allow, the session waits for resume in any case. PATCH changes hosts until work has begun on one, then and ' +
      'wait_seconds until they are done; null takes it away at any time. An addition to the specification',
  },
);
export type CanaryBody = Static<typeof CanarySchema>;

const ReplyPolicySchema = Type.Object(
  {
    silence: Type.Optional(
      ChoiceField(
        ['default', 'skip_host', 'pause'],
        'When a question about a host is not answered in time; absent: default, the default behaviour',
      ),
    ),
    last_nack: Type.Optional(
      ChoiceField(
        ['fail', 'skip_host', 'pause'],
        'When a project has refused as often as it is asked; absent: fail, the session fails, or pause where the session ' +
          'has windows or a deadline',
      ),
    ),
  },
  {
    ...closed,
    description:
      'What follows when a project does not answer, or refuses for the last time: the host is skipped, or the session ' +
      'pauses itself. An addition to the specification',
  },
);
export type ReplyPolicyBody = Static<typeof ReplyPolicySchema>;

const keepOrDelete = ['keep', 'delete'] as const;

const EvictionSchema = Type.Object(
  {
    unmanaged_pods: Type.Optional(
      ChoiceField(
        keepOrDelete,
        'Pods that no controller makes again; absent: as the setting PARLEY_KUBERNETES_UNMANAGED_PODS says',
      ),
    ),
    local_data: Type.Optional(
      ChoiceField(
        keepOrDelete,
        'Pods with data on the disk of their node (emptyDir), and pods that no other node could take; absent: as the ' +
          'setting PARLEY_KUBERNETES_LOCAL_DATA says',
      ),
    ),
    forced: Type.Optional(
      ChoiceField(
        keepOrDelete,
        'Pods whose eviction is refused or takes too long: delete them past their budgets, for which the service needs ' +
          'the right to delete pods; absent: as the setting PARLEY_KUBERNETES_FORCED says',
      ),
    ),
    complete_within_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        description:
          'Seconds, from the start of the drain of their node, for which pods of Jobs, and pods whose annotation ' +
          'parley.maintenance/on-drain is complete, are waited for to end; then they are evicted like others. Absent: ' +
          'pods of Jobs are not waited for, and others as the setting PARLEY_KUBERNETES_COMPLETE_SECONDS says',
      }),
    ),
  },
  {
    ...closed,
    description:
      'What becomes of pods that are kept unless somebody says otherwise, and of pods that end by themselves, for the Kubernetes cloud, an error for others. ' +
      'What is given counts, whatever the settings are. PATCH changes it for evictions that have not begun. An addition ' +
      'to the specification',
  },
);
export type EvictionBody = Static<typeof EvictionSchema>;

const PostponeSchema = Type.Object(
  {
    until: Type.Optional(
      Type.String({
        format: 'maintenance-time',
        description: 'Until that time, as maintenance_at; either this or seconds',
      }),
    ),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31_536_000,
        description: 'For so many seconds after a project was first asked in the session',
      }),
    ),
  },
  {
    ...closed,
    description:
      'How long projects may put work off: their replies may have not_before then, up to not_before_latest of the ' +
      'event, and a project that refuses is asked again at times that are spread until then. Absent: not at all. null ' +
      'takes the leave away, also from what was put off before. An addition to the specification',
  },
);
export type PostponeBody = Static<typeof PostponeSchema>;

export type OwnerHoursBody = 'keep' | 'ignore' | { until: string };

const OwnerHoursField = Type.Unsafe<OwnerHoursBody>({
  type: ['string', 'object'],
  format: 'owner-hours',
  properties: {
    until: Type.String({ format: 'maintenance-time', description: 'Until that time, as maintenance_at' }),
  },
  required: ['until'],
  ...closed,
  description:
    'How far hours and notice in the terms of owners are kept: keep, ignore, or an object with the time until which they are; ' +
    'absent: keep. The reason of the session tells owners why. An addition to the interface',
});

export const steeringFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 80,
    pattern: printablePattern,
    description:
      'What admins call the session, such as the reason for it; lists and the events for admins show it. Several ' +
      'sessions may have the same. An addition to the interface',
  }),
  reason: Type.String({
    minLength: 1,
    maxLength: mostReasonCharacters,
    pattern: printablePattern,
    description:
      'The reason for the session, for the owners of instances, such as an update against a hole in the kernel: ' +
      'GET /v1/projects/{project_id}/coming tells it. An addition to the interface',
  }),
  max_parallel_hosts: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description:
      'Hosts under work at once at most, for vnf and workflows that roll as it does, an error for others; absent: as ' +
      'many as is safe. An addition to the interface',
  }),
  max_parallel_per: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    minProperties: 1,
    maxProperties: 20,
    description:
      'Hosts under work at once at most for each text of a label of hosts, by the key of the label, such as ' +
      '{"zone": 3}; hosts without the label count together. For vnf and workflows that roll as it does, an error for ' +
      'others. An addition to the interface',
  }),
  one_domain_at_a_time: Type.String({
    minLength: 1,
    maxLength: 317,
    pattern: printablePattern,
    description:
      'The key of a label of hosts, such as rack: hosts under work at once have the same text of it, or all lack it. For ' +
      'vnf and workflows that roll as it does, an error for others. An addition to the interface',
  }),
  host_start_seconds: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description:
      'Seconds that a host may take to be up after its maintenance: only then is it maintained, and after them it has ' +
      'failed; absent: as the setting PARLEY_HOST_START_SECONDS says. An addition to the interface',
  }),
  max_failed_hosts: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description:
      'A host whose drain or maintenance fails is set aside and the session goes on, until more than this number of ' +
      'hosts have failed; absent: 0. An addition to the specification',
  }),
  failed_hosts: ChoiceField(
    ['leave_disabled', 'enable'],
    'Whether hosts that are set aside are enabled again; absent: leave_disabled. By PATCH, enable also enables those ' +
      'that were left disabled before, and leave_disabled holds for those that fail later. An addition to the ' +
      'specification',
  ),
  reply_policy: ReplyPolicySchema,
  canary: CanarySchema,
  deadline: Type.String({
    format: 'maintenance-time',
    description:
      'When the session must be over, as maintenance_at. The event says once when it will not be, or was not; nothing ' +
      'is stopped. An addition to the interface',
  }),
  eviction: EvictionSchema,
  postpone: PostponeSchema,
  owner_hours: OwnerHoursField,
  windows: Type.Array(WindowSchema, {
    minItems: 1,
    maxItems: 20,
    description:
      'Maintenance windows: outside of them nothing new begins, no question either; absent: work may begin at any ' +
      'time. An addition to the interface',
  }),
  ignore_freezes: Type.String({
    minLength: 1,
    maxLength: mostReasonCharacters,
    pattern: printablePattern,
    description:
      'The reason why freezes (GET /v1/freezes) do not count for the session, such as an urgent repair; absent: they ' +
      'count. An addition to the interface',
  }),
} as const;

type SteeringFields = typeof steeringFields;

/** The fields as the create request has them. */
export const optionalSteering = Type.Partial(Type.Object(steeringFields)).properties;
/** The steering in a create request or in a change. */
export type SteeringBody = { readonly [Name in keyof SteeringFields]?: Static<SteeringFields[Name]> | null };

const namesOf = Object.keys as (fields: SteeringFields) => (keyof SteeringFields)[];

/** Makes one schema and no union of two, so that an error about it names the expected values. */
const orNull = (schema: TSchema): TSchema => {
  const values = schema['enum'] as readonly unknown[] | undefined;
  return { ...schema, type: [schema['type'], 'null'].flat(), ...(values && { enum: [...values, null] }) };
};

const changeable = Object.fromEntries(
  namesOf(steeringFields).map((name) => [name, Type.Optional(orNull(steeringFields[name]))]),
) as { [Name in keyof SteeringFields]: TOptional<TUnsafe<Static<SteeringFields[Name]> | null>> };

export const ChangeSessionSchema = Type.Object(
  {
    session_id: Type.Optional(IdField("Where given, the path's")),
    maintenance_at: Type.Optional(
      Type.String({
        format: 'maintenance-time',
        description:
          'Start time, as in the create request; only until the session has begun. What projects were told before is ' +
          'not told anew',
      }),
    ),
    ...changeable,
  },
  { ...closed, description: 'Fields to change; null removes a field, and a field that is not named does not change' },
);
export type ChangeSessionBody = Static<typeof ChangeSessionSchema>;

/** The fields as the detail shows them: null where they are not set. */
export const shownSteering = Object.fromEntries(
  namesOf(steeringFields).map((name) => [name, Type.Union([steeringFields[name], Type.Null()])]),
) as { [Name in keyof SteeringFields]: TUnion<[SteeringFields[Name], TNull]> };

export const SessionChangedSchema = Type.Object({
  session_id: OwnIdField(),
  state: Type.String({ description: 'Workflow state' }),
  maintenance_at: TimeField('Start time'),
  ...shownSteering,
});
export type SessionChangedBody = Static<typeof SessionChangedSchema>;
