/** Connects a process to Temporal, and prepares the namespace so that it can run sessions. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import Long from 'long';
import { StartFault } from '../startup/start-fault';
import { type Start, waitAtStart } from '../startup/wait-at-start';
import { hasGrpcCode } from './grpc-codes';
import { readEndpoint, type TemporalAccess } from './temporal-access';
import { searchAttributes } from './workflow-messages';

export interface TemporalAddress extends TemporalAccess {
  readonly temporalNamespace: string;
}

export interface TemporalConnection {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/** @throws StartFault when Temporal does not answer within 10 s, or not to this program */
export const connectTemporal = async (settings: TemporalAddress): Promise<TemporalConnection> => {
  const endpoint = { ...(await readEndpoint(settings)), connectTimeout: '10s' } as const;
  const connection = await Connection.connect(endpoint).catch((error: unknown) => {
    throw noConnection(settings.temporalAddress, error);
  });
  const client = new Client({ connection, namespace: settings.temporalNamespace });
  return { client, close: () => connection.close() };
};

const noConnection = (address: string, cause: unknown): StartFault => {
  const problem = hasGrpcCode(cause, 'UNAUTHENTICATED', 'PERMISSION_DENIED')
    ? 'refuses this program: check the PARLEY_TEMPORAL_ settings of its certificate and its API key'
    : 'does not answer: start it, or correct PARLEY_TEMPORAL_ADDRESS and the PARLEY_TEMPORAL_ settings of TLS';
  const told = cause instanceof Error ? cause.message : String(cause);
  return new StartFault(`Temporal at ${address} ${problem} (${told})`, { cause });
};

/** The server's parts learn about new search attributes one after the other. */
const namespaceSeconds = 90;

/**
 * Connects a process that starts, and prepares its namespace.
 * @throws StartFault when Temporal does not let it begin, StoppedAtStart when the process is to stop
 */
export const openPreparedTemporal = async (start: Start, settings: TemporalAddress): Promise<TemporalConnection> => {
  const server = { what: `Temporal at ${settings.temporalAddress}`, limitSeconds: 30 };
  const opened = await waitAtStart(start, server, () => connectTemporal(settings));
  const namespace = {
    what: `the namespace ${settings.temporalNamespace} of Temporal`,
    limitSeconds: namespaceSeconds,
  };
  await waitAtStart(start, namespace, () => prepareNamespace(opened.client));
  return opened;
};

/** A failed session is continued from its history, so histories are kept at least this long. */
const leastRetentionDays = 30;
const secondsPerDay = 86_400;

/**
 * Sets the namespace's retention and registers the search attributes. Calling it again changes nothing.
 * @throws StartFault when the namespace does not exist
 */
export const prepareNamespace = async (client: Client): Promise<void> => {
  await keepHistories(client);
  await registerSearchAttributes(client);
};

const keepHistories = async (client: Client): Promise<void> => {
  const namespace = client.options.namespace;
  const { config } = await client.workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
    throw hasGrpcCode(error, 'NOT_FOUND') ? noNamespace(namespace, error) : error;
  });
  const retentionSeconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  const leastSeconds = leastRetentionDays * secondsPerDay;
  if (retentionSeconds >= leastSeconds) return;
  await client.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: { seconds: Long.fromNumber(leastSeconds) } },
  });
};

const noNamespace = (namespace: string, cause: unknown): StartFault =>
  new StartFault(
    `Temporal has no namespace ${JSON.stringify(namespace)}: make it with "temporal operator namespace create ` +
      `--namespace ${namespace} --retention 30d", or correct PARLEY_TEMPORAL_NAMESPACE`,
    { cause },
  );

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST } = temporal.api.enums.v1.IndexedValueType;

const attributeTypes: Readonly<Record<string, temporal.api.enums.v1.IndexedValueType>> = {
  [searchAttributes.state.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [searchAttributes.host.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [searchAttributes.project.name]: INDEXED_VALUE_TYPE_KEYWORD_LIST,
};

/**
 * The server's parts learn about new attributes one after the other. Temporal refuses a start that uses an attribute
 * too early.
 */
const registerSearchAttributes = async (client: Client): Promise<void> => {
  if (await addMissingAttributes(client)) await untilUsable(client);
};

/** @returns true when any attribute was missing */
const addMissingAttributes = async (client: Client): Promise<boolean> => {
  const namespace = client.options.namespace;
  const { customAttributes } = await client.connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(attributeTypes).filter(([name]) => customAttributes[name] === undefined);
  if (missing.length === 0) return false;
  try {
    await client.connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    });
  } catch (error) {
    // Several processes start at once: another one registered them between our check and our call.
    if (!(error instanceof Error) || !/already/i.test(error.message)) throw error;
  }
  return true;
};

/** A server reloads its namespaces every few seconds. The process does not wait for a server that takes longer. */
const usableWithinMs = 30_000;

/** The SDK passes some refusals on unchanged, and wraps others. */
const isUnknownAttribute = (error: unknown): boolean => {
  const refusal = error instanceof Error && !isGrpcServiceError(error) ? error.cause : error;
  return hasGrpcCode(refusal, 'INVALID_ARGUMENT');
};

const untilUsable = async (client: Client): Promise<void> => {
  const query = Object.keys(attributeTypes)
    .map((name) => `${name} = 'none'`)
    .join(' OR ');
  const deadline = Date.now() + usableWithinMs;
  while (Date.now() < deadline) {
    try {
      await client.workflow.count(query);
      return;
    } catch (error) {
      if (!isUnknownAttribute(error)) throw error;
      await pause(200);
    }
  }
};
