/** The API server answered with an error. Its Status says why, for people and for programs. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { HttpAnswer } from '../../http/exchange';

const text = Type.Optional(Type.String());

/** An error of the API server. A proxy, or an unknown group, answers in plain text. */
const statusSchema = Type.Object({
  kind: Type.Literal('Status'),
  message: text,
  reason: text,
  details: Type.Optional(
    Type.Object({
      causes: Type.Optional(Type.Array(Type.Object({ reason: text, message: text, field: text }))),
      retryAfterSeconds: Type.Optional(Type.Number()),
    }),
  ),
});

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';

  constructor(
    message: string,
    /** The HTTP status, or the code of an error in a watch. */
    readonly status: number,
    readonly details: {
      /** Only the API server's own words. */
      readonly said: string;
      /** Its word for programs, such as Conflict or AlreadyExists. */
      readonly reason?: string;
      readonly causes: readonly StatusCause[];
      /** The time that the API server asks for before the next try. */
      readonly retryAfterSeconds?: number;
    },
  ) {
    super(message);
  }
}

/** @param what the call, such as `GET /api/v1/nodes` */
export const kubernetesError = (what: string, { status, headers, body }: HttpAnswer): KubernetesError => {
  const told: ServerStatus = Value.Check(statusSchema, body) ? body : {};
  const said = told.message ?? textIn(body) ?? 'no reason given';
  return new KubernetesError(`the Kubernetes API answered ${String(status)} to ${what}: ${said}`, status, {
    said,
    ...programWords(told),
    ...secondsIn(headers.get('retry-after')),
  });
};

type ServerStatus = Partial<Static<typeof statusSchema>>;

const textIn = (body: unknown): string | undefined =>
  typeof body === 'string' && body.trim() !== '' ? body.trim() : undefined;

const programWords = ({ reason, details }: ServerStatus): Omit<KubernetesError['details'], 'said'> => ({
  ...(reason !== undefined && { reason }),
  causes: details?.causes ?? [],
  ...(details?.retryAfterSeconds !== undefined && { retryAfterSeconds: details.retryAfterSeconds }),
});

const secondsIn = (header: string | undefined): { readonly retryAfterSeconds?: number } =>
  header === undefined || !/^\d+$/.test(header.trim()) ? {} : { retryAfterSeconds: Number(header) };

export const isStatus = (error: unknown, ...statuses: readonly number[]): error is KubernetesError =>
  error instanceof KubernetesError && statuses.includes(error.status);
