import { dummy } from '../../../../plugins/actions/dummy';
import { asTimedPlugin, runsOn, secondsTold } from '../../../../rules/expectations/plugins-of-host';

const compute = { type: 'compute', isCompute: true };
const controller = { type: 'controller', isCompute: false };
const both = { type: 'controller', isCompute: true };

it.each([
  { kind: 'a compute', host: compute, runs: ['host', 'compute'] },
  { kind: 'a controller', host: controller, runs: ['host', 'controller'] },
  { kind: 'a controller that is a compute as well', host: both, runs: ['host', 'compute', 'controller'] },
])('$kind runs the plug-ins of its types, and none of pre and post', ({ host, runs }) => {
  const types = ['pre', 'host', 'compute', 'controller', 'post'] as const;
  expect(types.filter((type) => runsOn(type, host))).toEqual(runs);
});

describe('the seconds that a request tells of a host', () => {
  const plugins = [
    { type: 'pre', seconds: 1 },
    { type: 'host', seconds: 10 },
    { type: 'compute', seconds: 200 },
    { type: 'controller', seconds: 3000 },
  ] as const;

  it.each([
    { kind: 'a compute', host: compute, seconds: 210 },
    { kind: 'a controller', host: controller, seconds: 3010 },
    { kind: 'a controller that is a compute as well', host: both, seconds: 3210 },
  ])('are those of all plug-ins that run on $kind', ({ host, seconds }) => {
    expect(secondsTold(plugins, host)).toBe(seconds);
  });

  it('are not known where one of its plug-ins does not say its time', () => {
    const untold = [...plugins, { type: 'compute' }] as const;
    expect(secondsTold(untold, both)).toBeUndefined();
    expect(secondsTold(untold, controller)).toBe(3010);
  });

  it('are none where nothing runs on it', () => {
    expect(secondsTold([{ type: 'controller' }], compute)).toBe(0);
  });
});

it.each([
  { plugin: dummy.name, metadata: { seconds: 7 }, timed: { type: 'host', seconds: 7 } },
  { plugin: dummy.name, metadata: { seconds: '7' }, timed: { type: 'host' } },
  { plugin: dummy.name, metadata: {}, timed: { type: 'host' } },
  { plugin: 'script', metadata: { seconds: 7 }, timed: { type: 'host' } },
])('$plugin with $metadata is timed as $timed', ({ plugin, metadata, timed }) => {
  expect(asTimedPlugin({ plugin, type: 'host', metadata })).toEqual(timed);
});
