// Writes page/client/openapi.d.ts, the types of the API as its OpenAPI document tells them, where they have changed:
// `npm run generate`. Runs with test/run/run-typescript.cjs, since the document is made by TypeScript.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { createOpenApiDocument } = createRequire(import.meta.url)('../api/openapi/document.ts');
const target = path.join(import.meta.dirname, 'client/openapi.d.ts');

const document = createOpenApiDocument('http://localhost:12347');
const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex');
const opening = `// Made by page/generate-types.mjs of the document ${digest}\n`;

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(opening)) {
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  writeFileSync(target, opening + astToString(await openapiTypes(document)));
}
