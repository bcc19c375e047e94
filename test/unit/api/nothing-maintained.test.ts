import { hostsWithoutAction } from '../../../api/services/standing-blockers';
import type { Plugin } from '../../../rules/expectations/plugins-of-host';

const compute = (hostname: string) => ({ hostname, type: 'compute', isCompute: true });
const controller = (hostname: string) => ({ hostname, type: 'controller', isCompute: false });
const both = [compute('c1'), controller('k1')];
const many = ['c1', 'c2', 'c3', 'c4', 'c5'].map(compute);

interface Row {
  readonly situation: string;
  readonly types: readonly Plugin['type'][];
  readonly hosts: readonly ReturnType<typeof compute>[];
  readonly says: readonly string[];
}

it.each<Row>([
  { situation: 'no action is given', types: [], hosts: both, says: ['no action for its hosts,'] },
  { situation: 'actions run before and after alone', types: ['pre', 'post'], hosts: both, says: ['for its hosts,'] },
  { situation: 'an action runs on every host', types: ['host'], hosts: both, says: [] },
  { situation: 'one host has none', types: ['controller'], hosts: both, says: ['no action for host c1,'] },
  {
    ...{ situation: 'many hosts have none', types: ['controller'], hosts: [...many, controller('k1')] },
    says: ['no action for hosts c1, c2, c3 and 2 more,'],
  },
])('says where nothing is maintained: $situation', ({ types, hosts, says }) => {
  const actions = types.map((type) => ({ type }));
  const blockers = hostsWithoutAction({ sessionId: 's', actions, hosts, isCreated: false });
  expect(blockers.map(({ because }) => because)).toEqual(says.map((words) => expect.stringContaining(words) as string));
});

it.each([
  { isCreated: false, help: 'name an action of type host' },
  { isCreated: true, help: 'in another session' },
])('says what helps, where the session is there already: $isCreated', ({ isCreated, help }) => {
  const [blocker] = hostsWithoutAction({ sessionId: 's', actions: [], hosts: [compute('c1')], isCreated });
  expect(blocker?.help).toContain(help);
});
