/** The metadata of the action plug-ins `job` and `reboot`. */
import { type Static, Type } from '@sinclair/typebox';
import { judgeBy, type JudgedMetadata } from '../judge-metadata';

const words = Type.Array(Type.String());
const text = Type.String({ minLength: 1 });

const hostMount = Type.Object(
  { host_path: text, mount_path: text, read_only: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);

/** `timeout_seconds` is every plug-in's. */
const common = { timeout_seconds: Type.Optional(Type.Number()) };

const containerFields = {
  image: text,
  command: Type.Optional(words),
  args: Type.Optional(words),
  env: Type.Optional(Type.Record(Type.String(), Type.String())),
  host_mounts: Type.Optional(Type.Array(hostMount)),
  privileged: Type.Optional(Type.Boolean()),
  host_pid: Type.Optional(Type.Boolean()),
  host_network: Type.Optional(Type.Boolean()),
  service_account: Type.Optional(text),
};

const container = Type.Object({ ...common, ...containerFields }, { additionalProperties: false });

/** A pod template of the cluster's own form, for all that the other fields cannot say. */
const template = Type.Object(
  {
    ...common,
    template: Type.Object({
      metadata: Type.Optional(
        Type.Object({
          labels: Type.Optional(Type.Record(Type.String(), Type.String())),
          annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
        }),
      ),
      spec: Type.Object({
        containers: Type.Array(Type.Object({ name: text, image: text }, { additionalProperties: true }), {
          minItems: 1,
        }),
      }),
    }),
  },
  { additionalProperties: false },
);

export type JobContainer = Static<typeof container>;
export type JobTemplate = Static<typeof template>;
export type JobMetadata = JobContainer | JobTemplate;

const reboot = Type.Object(
  { ...common, ...containerFields, begin_seconds: Type.Optional(Type.Number({ minimum: 1 })) },
  { additionalProperties: false },
);
export type RebootMetadata = Static<typeof reboot>;

const judgeContainer = judgeBy(container);
const judgeTemplate = judgeBy(template);

export const judgeJob = (given: Readonly<Record<string, unknown>>): JudgedMetadata<JobMetadata> =>
  'template' in given ? judgeTemplate(given) : judgeContainer(given);

export const judgeReboot = judgeBy(reboot);
