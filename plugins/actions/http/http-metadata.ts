/** The metadata of the action plug-in `http`: the requests by which a job of another system is started and followed. */
import { type Static, Type } from '@sinclair/typebox';
import { judgeBy, type JudgedMetadata } from '../judge-metadata';
import { namesIn } from './fill';

const closed = { additionalProperties: false } as const;
const text = Type.String({ minLength: 1, maxLength: 2000 });
const pointer = Type.String({ pattern: '^(/.*)?$', maxLength: 500 });
const scalar = Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean(), Type.Null()]);

/** A value of an answer: its JSON pointer, and the value that is meant. One of `in`, `contains` and `exists`. */
const Condition = Type.Object(
  {
    pointer,
    in: Type.Optional(Type.Array(scalar, { minItems: 1, maxItems: 50 })),
    contains: Type.Optional(text),
    exists: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** Takes the first item of a list in an answer for the answer. */
const Choice = Type.Object({ list: pointer, where: Type.Optional(Condition) }, closed);

/** Names of values that later requests may use, each by its JSON pointer in the answer, or as `header:Location`. */
const Keep = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,40}$' }),
  Type.String({ pattern: '^(/.*|header:[A-Za-z-]+)$' }),
  {
    maxProperties: 20,
    ...closed,
  },
);

const Headers = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }),
  Type.String({ maxLength: 4000 }),
  {
    maxProperties: 20,
    ...closed,
  },
);

const requestFields = {
  method: Type.Optional(Type.Union(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((one) => Type.Literal(one)))),
  url: text,
  body: Type.Optional(Type.Any()),
  /** form: as a web form sends it, in place of JSON. */
  form: Type.Optional(Type.Record(Type.String(), Type.String())),
};

const Start = Type.Object({ ...requestFields, keep: Type.Optional(Keep) }, closed);
const Find = Type.Object(
  { url: text, from: Type.Optional(Choice), until: Condition, keep: Type.Optional(Keep) },
  closed,
);
const Step = Type.Object(
  {
    url: text,
    every_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: 3600 })),
    from: Type.Optional(Choice),
    until: Condition,
    failed: Type.Optional(Condition),
    keep: Type.Optional(Keep),
    show: Type.Optional(pointer),
  },
  closed,
);

const schema = Type.Object(
  {
    timeout_seconds: Type.Optional(Type.Number()),
    headers: Type.Optional(Headers),
    start: Start,
    find: Type.Optional(Find),
    follow: Type.Optional(Type.Array(Step, { maxItems: 10 })),
    cancel: Type.Optional(Type.Object(requestFields, closed)),
  },
  closed,
);

export type HttpMetadata = Static<typeof schema>;
export type JobRequest = HttpMetadata['start'];
export type HttpFind = NonNullable<HttpMetadata['find']>;
export type HttpStep = NonNullable<HttpMetadata['follow']>[number];
export type HttpCondition = Static<typeof Condition>;
export type HttpChoice = Static<typeof Choice>;
export type HttpKeep = Static<typeof Keep>;

const judgeForm = judgeBy(schema);

/** Values that every request may use. */
export const givenNames = ['host', 'host_type', 'session', 'key'] as const;

/** Judges also that each request uses only values that are known by then, and that secrets stand in headers alone. */
export const judgeHttp = (given: Readonly<Record<string, unknown>>): JudgedMetadata<HttpMetadata> => {
  const judged = judgeForm(given);
  if ('fault' in judged) return judged;
  const fault = faultOfNames(judged.value) ?? faultOfConditions(judged.value);
  return fault === undefined ? judged : { fault };
};

const faultOfNames = ({ headers = {}, start, find, follow = [], cancel }: HttpMetadata): string | undefined => {
  const known = new Set<string>(givenNames);
  const unknownIn = (where: string, used: unknown, secretsToo = false): string | undefined => {
    const unknown = namesIn(used).find((name) => !known.has(name) && !(secretsToo && name.startsWith('secret.')));
    return unknown === undefined ? undefined : `/${where} uses {{ ${unknown} }}, which is not known there`;
  };
  const inTurn = (where: string, used: { readonly keep?: HttpKeep }): string | undefined => {
    const { keep = {}, ...request } = used;
    const fault = unknownIn(where, request);
    for (const name of Object.keys(keep)) known.add(name);
    return fault;
  };
  return (
    unknownIn('headers', headers, true) ??
    (find && unknownIn('find', { ...find, keep: {} })) ??
    inTurn('start', start) ??
    follow.map((step, at) => inTurn(`follow/${at}`, step)).find((fault) => fault !== undefined) ??
    (cancel && unknownIn('cancel', cancel))
  );
};

const faultOfConditions = ({ find, follow = [] }: HttpMetadata): string | undefined => {
  const conditions: readonly (readonly [string, HttpCondition | undefined])[] = [
    ['find/until', find?.until],
    ['find/from/where', find?.from?.where],
    ...follow.flatMap(({ until, failed, from }, at) => [
      [`follow/${at}/until`, until] as const,
      [`follow/${at}/failed`, failed] as const,
      [`follow/${at}/from/where`, from?.where] as const,
    ]),
  ];
  const [wrong] = conditions.find(([, given]) => given !== undefined && meansOf(given) !== 1) ?? [];
  return wrong === undefined ? undefined : `/${wrong} must have exactly one of in, contains and exists`;
};

const meansOf = (given: HttpCondition): number =>
  [given.in, given.contains, given.exists].filter((one) => one !== undefined).length;
