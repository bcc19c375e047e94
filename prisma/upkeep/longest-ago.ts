import { Prisma } from '@prisma/client';

/**
 * The time before which records are old, as a part of a statement. It is fixed for the statement, unlike
 * `clock_timestamp()`, so that PostgreSQL can look it up in an index.
 */
export const longestAgo = (days: number): Prisma.Sql =>
  Prisma.sql`statement_timestamp() - make_interval(secs => ${days * 86_400}::float8)`;
