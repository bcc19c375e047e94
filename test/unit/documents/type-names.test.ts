import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');
/** The page is a program of its own, and calls the bodies of the API by the names of the service's own types. */
const rooms = [
  ...['activities', 'api', 'calls', 'cli', 'clouds', 'config', 'events', 'forms', 'outgoing', 'plugins'],
  ...['prisma', 'rules', 'snapshot', 'startup', 'telemetry', 'temporal', 'worker', 'workflows'],
];

const declaration = /^(?:export )?(?:interface|type|class) (\w+)/gm;

it('no two types of the service have the same name', () => {
  const placesOf = new Map<string, string[]>();
  for (const folder of rooms) {
    const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const text = readFileSync(path.join(root, folder, file), 'utf8');
      for (const [, name = ''] of text.matchAll(declaration)) {
        placesOf.set(name, [...(placesOf.get(name) ?? []), path.posix.join(folder, file)]);
      }
    }
  }
  expect(placesOf.size).toBeGreaterThan(0);
  expect([...placesOf].filter(([, places]) => places.length > 1)).toEqual([]);
});
