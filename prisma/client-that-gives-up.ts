/**
 * A connection that ends when its server has fallen silent. Where the network is lost, or the server's machine is gone,
 * statements would wait for their answers for ever, and whatever takes turns in this process would wait with them.
 */
import { Client, type ClientConfig } from 'pg';
import { boundTransactions, startInUtc } from './pooled-client';

/** Limits in milliseconds. */
export interface PatienceLimits {
  readonly connectMs: number;
  /** The limit for a lock, and for a transaction of which nothing is heard. */
  readonly transactionMs: number;
  /** The limit for the answer to a statement. A statement may wait for a lock for a part of it. */
  readonly answerMs: number;
}

export const clientThatGivesUp = ({ connectMs, transactionMs, answerMs }: PatienceLimits) =>
  class extends Client {
    constructor(config: ClientConfig = {}) {
      super({ ...config, connectionTimeoutMillis: connectMs });
      startInUtc(this);
      boundTransactions(this, transactionMs);
      endWhenSilent(this, answerMs);
    }
  };

/** All statements of a connection that is ended fail, and its pool opens another one when it needs it. */
const endWhenSilent = (client: Client, answerMs: number): void => {
  let patience: NodeJS.Timeout | undefined;
  const stopWaiting = (): void => clearTimeout(patience);
  // The proxy calls it with the client.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  client.query = new Proxy(client.query, {
    apply(query, self, given): unknown {
      stopWaiting();
      patience = setTimeout(() => void client.end(), answerMs).unref();
      return Reflect.apply(query, self, given);
    },
  });
  client.on('drain', stopWaiting);
  client.on('end', stopWaiting);
};
