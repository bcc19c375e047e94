/**
 * Prepares the namespace so that it can run sessions. It looks before it changes anything, and only by rights that
 * every program has: an authorizer, or Temporal Cloud, may leave the changes to its administrators.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import Long from 'long';
import { StartFault } from '../startup/start-fault';
import { hasGrpcCode } from './grpc-codes';
import { searchAttributes } from './workflow-messages';

/** A failed session is continued from its history, so histories are kept at least this long. */
const leastRetentionDays = 30;
const secondsPerDay = 86_400;

/**
 * Sets the namespace's retention and registers the search attributes, where they are not as they should be.
 * @throws StartFault when the namespace does not exist, or this program may not change it; it has the commands
 */
export const prepareNamespace = async (client: Client): Promise<void> => {
  const refused = [await keepHistories(client), await registerSearchAttributes(client)].flatMap((each) => each ?? []);
  if (refused.length > 0) throw mayNotPrepare(client.options.namespace, refused);
};

/** What this program may not do, as an administrator of Temporal does it. */
interface RefusedChange {
  readonly command: string;
  readonly cause: unknown;
}

const mayNotPrepare = (namespace: string, refused: readonly RefusedChange[]): StartFault =>
  new StartFault(
    `Temporal does not let this program prepare the namespace ${namespace}: let an administrator of Temporal run ` +
      refused.map(({ command }) => `"${command}"`).join(' and '),
    { cause: refused[0]?.cause },
  );

/** The SDK passes some refusals on unchanged, and wraps others. */
const refusalOf = (error: unknown): unknown =>
  error instanceof Error && !isGrpcServiceError(error) ? error.cause : error;

/** Temporal Cloud has no such service at all. */
const isForbidden = (error: unknown): boolean =>
  hasGrpcCode(refusalOf(error), 'PERMISSION_DENIED', 'UNAUTHENTICATED', 'UNIMPLEMENTED');

/** @returns the change where this program may not make it */
const change = async (command: string, make: () => Promise<unknown>): Promise<RefusedChange | undefined> => {
  try {
    await make();
    return undefined;
  } catch (cause) {
    if (isForbidden(cause)) return { command, cause };
    throw cause;
  }
};

const keepHistories = async (client: Client): Promise<RefusedChange | undefined> => {
  const namespace = client.options.namespace;
  const { config } = await client.workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
    throw hasGrpcCode(error, 'NOT_FOUND') ? noNamespace(namespace, error) : error;
  });
  const retentionSeconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  const leastSeconds = leastRetentionDays * secondsPerDay;
  if (retentionSeconds >= leastSeconds) return undefined;
  return change(`temporal operator namespace update --namespace ${namespace} --retention 30d`, () =>
    client.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: { seconds: Long.fromNumber(leastSeconds) } },
    }),
  );
};

const noNamespace = (namespace: string, cause: unknown): StartFault =>
  new StartFault(
    `Temporal has no namespace ${JSON.stringify(namespace)}: make it with "temporal operator namespace create ` +
      `--namespace ${namespace} --retention 30d", or correct PARLEY_TEMPORAL_NAMESPACE`,
    { cause },
  );

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST } = temporal.api.enums.v1.IndexedValueType;

interface Attribute {
  readonly name: string;
  readonly type: temporal.api.enums.v1.IndexedValueType;
  /** The name of the type on Temporal's command line. */
  readonly typeName: string;
}

const keyword = { type: INDEXED_VALUE_TYPE_KEYWORD, typeName: 'Keyword' };

const attributes: readonly Attribute[] = [
  { name: searchAttributes.state.name, ...keyword },
  { name: searchAttributes.host.name, ...keyword },
  { name: searchAttributes.project.name, type: INDEXED_VALUE_TYPE_KEYWORD_LIST, typeName: 'KeywordList' },
];

/**
 * The server's parts learn about new attributes one after the other. Temporal refuses a start that uses an attribute
 * too early.
 */
const registerSearchAttributes = async (client: Client): Promise<RefusedChange | undefined> => {
  if (await areUsable(client, attributes)) return undefined;
  const missing = await findMissing(client);
  // Another process that starts at the same time has registered them between the two looks.
  if (missing.length === 0) return undefined;
  const refused = await change(commandFor(client.options.namespace, missing), () => addAttributes(client, missing));
  if (refused === undefined) await untilUsable(client);
  return refused;
};

const commandFor = (namespace: string, missing: readonly Attribute[]): string =>
  [
    `temporal operator search-attribute create --namespace ${namespace}`,
    ...missing.map(({ name, typeName }) => `--name ${name} --type ${typeName}`),
  ].join(' ');

/** Whether Temporal counts by them; only the right to read workflows is needed to ask that. */
const areUsable = async (client: Client, asked: readonly Attribute[]): Promise<boolean> => {
  try {
    await client.workflow.count(asked.map(({ name }) => `${name} = 'none'`).join(' OR '));
    return true;
  } catch (error) {
    if (hasGrpcCode(refusalOf(error), 'INVALID_ARGUMENT')) return false;
    throw error;
  }
};

const findMissing = async (client: Client): Promise<Attribute[]> => {
  const isThere = await Promise.all(attributes.map((each) => areUsable(client, [each])));
  return attributes.filter((_, index) => !isThere[index]);
};

const addAttributes = async (client: Client, missing: readonly Attribute[]): Promise<void> => {
  try {
    await client.connection.operatorService.addSearchAttributes({
      namespace: client.options.namespace,
      searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, type])),
    });
  } catch (error) {
    // Several processes start at once: another one registered them between our check and our call.
    if (!(error instanceof Error) || !/already/i.test(error.message)) throw error;
  }
};

/** A server reloads its namespaces every few seconds. The process does not wait for a server that takes longer. */
const usableWithinMs = 30_000;

const untilUsable = async (client: Client): Promise<void> => {
  const deadlineMs = performance.now() + usableWithinMs;
  while (performance.now() < deadlineMs && !(await areUsable(client, attributes))) await pause(200);
};
