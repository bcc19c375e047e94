// Prints the SQL that leads from the committed schema to the one in the working tree. Needs no download: Prisma's
// migration engine runs in its WebAssembly form. It wants to see a PostgreSQL, of which it changes nothing: the one of
// DATABASE_URL, else that of `make up`.
//
//     node prisma/write-migration.mjs > prisma/migrations/<time>_<name>/migration.sql
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const root = path.dirname(import.meta.dirname);
const schema = 'prisma/schema.prisma';

const loadEngine = async () => {
  const engineFile = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const engine = await import(pathToFileURL(engineFile).href);
  const code = readFileSync(path.join(path.dirname(engineFile), 'schema_engine_bg.wasm'));
  const { instance } = await globalThis.WebAssembly.instantiate(code, { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return engine.SchemaEngine;
};

const connectionString = process.env.DATABASE_URL ?? 'postgresql://parley@127.0.0.1:15432/parley';

const database = () => {
  const { PrismaPg } = require('@prisma/adapter-pg');
  const { bindMigrationAwareSqlAdapterFactory } = require('@prisma/driver-adapter-utils');
  return bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString }));
};

const from = (content) => ({ tag: 'schemaDatamodel', files: [{ path: schema, content }], configDir: root });

const SchemaEngine = await loadEngine();
const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, database());
const { stdout } = await engine.diff({
  from: from(execFileSync('git', ['show', `HEAD:${schema}`], { cwd: root, encoding: 'utf8' })),
  to: from(readFileSync(path.join(root, schema), 'utf8')),
  script: true,
  exitCode: false,
  shadowDatabaseUrl: null,
  filters: { externalTables: [], externalEnums: [] },
});
process.stdout.write(stdout ?? '');
