/** The documentation of one endpoint. */
import type { TSchema } from '@sinclair/typebox';
import { examples } from './examples';

/** A schema under its name in the document, with an example. */
export interface DocumentedBody {
  readonly name: string;
  readonly schema: TSchema;
  readonly example: unknown;
}

export interface DocumentedHeader {
  readonly name: string;
  readonly description: string;
  readonly maxLength: number;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly description: string;
}

export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly tag: 'Sessions' | 'Projects' | 'Constraints' | 'Audit' | 'Webhooks' | 'Freezes' | 'Sign-in';
  /** project: the project in the path may call it, besides admins. everybody: without a token. */
  readonly access: 'admin' | 'project' | 'everybody';
  readonly request?: DocumentedBody;
  readonly mayLackBody?: true;
  /** Takes a reply of a project. */
  readonly isReply?: true;
  readonly headers?: readonly DocumentedHeader[];
  readonly query?: readonly DocumentedParameter[];
  /** Absent: 200 without a body. */
  readonly response?: DocumentedBody;
  /** The media type of an answer that is text, not JSON. */
  readonly content?: 'text/calendar';
  /** Another body that the query asks for. */
  readonly alternative?: DocumentedBody;
  /** 304 where the client has it already (If-None-Match). */
  readonly hasEtag?: true;
  /** Error codes of the specification. 401 and 403 are added when a token is needed. */
  readonly errors: readonly number[];
}

export const body = (name: keyof typeof examples, schema: TSchema): DocumentedBody => ({
  name,
  schema,
  example: examples[name],
});
