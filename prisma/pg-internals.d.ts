/** The parts of pg 8 that prisma/pooled-client.ts uses, and that its types leave out. */
import type {} from 'pg';

declare module 'pg' {
  interface ClientBase {
    /** The server's process, as it was told when the connection was opened. A pooler tells a number of its own. */
    readonly processID: number | null;
    /** The parameters of the connection's first message. */
    getStartupConf: () => Record<string, string>;
  }
}
