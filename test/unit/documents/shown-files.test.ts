/** The JSON that pages show is what the service takes and gives. */
import { readFileSync } from 'node:fs';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { fleetSchema } from '../../../clouds/simulated/fleet-schema';
import { createEventDrafts } from '../../../events/drafts';
import { toEnvelope } from '../../../events/envelope';

/** The first block of JSON in the page. */
const jsonIn = (page: string): unknown => {
  const [block] = /(?<=\n\n) {4}\{\n[^]*?\n {4}\}\n/.exec(readFileSync(page, 'utf8')) ?? ['null'];
  return JSON.parse(block);
};

describe('the page on fleet files', () => {
  const page = 'docs/fleet-file.md';

  it('shows one that can be loaded', () => {
    const { hosts, groups, instances } = parseFleet(jsonIn(page));
    expect([hosts.length, groups.length, instances.length]).toEqual([2, 1, 1]);
  });

  it('names every field', () => {
    const { hosts, groups, server_groups, instances } = fleetSchema.properties;
    const named = [fleetSchema, hosts.items, groups.items, server_groups.items, instances.items];
    const fields = named.flatMap(({ properties }) => Object.keys(properties));
    const text = readFileSync(page, 'utf8');
    expect(fields.filter((field) => !text.includes(`\`${field}\``) && !text.includes(`"${field}":`))).toEqual([]);
  });
});

describe('the page for authors of managers', () => {
  it('shows the envelope with just the fields that it has', () => {
    const shown = jsonIn('docs/vnfm.md') as { payload: Record<string, unknown> };
    const drafts = createEventDrafts({ serviceName: 'parley', adminProjectId: 'a', baseUrl: 'http://here' });
    const given = { sessionId: 's', projectId: 'p', state: 'PLANNED_MAINTENANCE', instanceIds: '' };
    const draft = drafts.planned({ ...given, allowedActions: [], metadata: {} });
    const names = { serviceName: 'parley', projectEventType: 'maintenance.planned' };
    const envelope = toEnvelope({ ...draft, createdAt: new Date() }, names);
    expect(Object.keys(shown)).toEqual(Object.keys(envelope));
    expect(Object.keys(shown.payload).sort()).toEqual(Object.keys(envelope.payload).sort());
  });
});
