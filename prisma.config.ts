import { defineConfig } from 'prisma-cli/config';

// Prisma's own command line reads this file; the service itself takes the URL from its settings (config/settings.ts).
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://parley:parley@127.0.0.1:15432/parley' },
});
