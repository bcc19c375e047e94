import { ApplicationFailure, CancelledFailure, type Context } from '@temporalio/activity';
import { type CloudDriver, CloudRefusal } from '../../../clouds/cloud-driver';
import { observedCloud } from '../../../clouds/observed-cloud';
import { type BusMessage, TooLargeForBus } from '../../../events/bus';
import { type Measures, noMeasures } from '../../../telemetry/metrics/measures';
import { countFailures } from '../../../worker/count-failures';
import { measureCalls } from '../../../worker/measure-cloud';
import { measuredBus } from '../../../worker/measured-bus';

const recording = () => {
  const seen: unknown[][] = [];
  const measures: Measures = {
    ...noMeasures,
    activityFailed: (...given) => void seen.push(given),
    delivered: (...given) => void seen.push(given),
    cloudCalled: (operation, result) => void seen.push([operation, result]),
  };
  return { seen, measures };
};

const messages = [{}, {}] as unknown as readonly BusMessage[];

describe('what a worker measures', () => {
  it.each([
    { situation: 'takes them', send: () => Promise.resolve(), result: 'ok' },
    { situation: 'does not', send: () => Promise.reject(new Error('down')), result: 'failed' },
  ])('counts events as $result where the bus $situation', async ({ send, result }) => {
    const { seen, measures } = recording();
    const bus = measuredBus({ send, close: () => Promise.resolve() }, 'kafka', measures);
    await bus.send(messages).catch(() => undefined);
    expect(seen).toEqual([['kafka', result, 2]]);
  });

  it.each([
    { situation: 'by itself', sent: messages.slice(1), counted: [['kafka', 'too_large', 1]] },
    { situation: 'together with others, which are sent again in parts', sent: messages, counted: [] },
  ])('counts an event that is too large for the bus $situation', async ({ sent, counted }) => {
    const { seen, measures } = recording();
    const send = () => Promise.reject(new TooLargeForBus('too large'));
    const bus = measuredBus({ send, close: () => Promise.resolve() }, 'kafka', measures);
    await expect(bus.send(sent)).rejects.toThrow('too large');
    expect(seen).toEqual(counted);
  });

  it.each([
    { situation: 'that is tried again', error: new Error('away'), counted: [['moveInstance', true]] },
    { situation: 'for good', error: ApplicationFailure.nonRetryable('no'), counted: [['moveInstance', false]] },
    { situation: 'by cancellation, which is none', error: new CancelledFailure('stop'), counted: [] },
  ])('counts a failure of an activity $situation, and throws it', async ({ error, counted }) => {
    const { seen, measures } = recording();
    const context = { info: { activityType: 'moveInstance' } } as unknown as Context;
    const { inbound } = countFailures(measures)(context);
    const run = inbound!.execute!({ args: [], headers: {} }, () => Promise.reject(error));
    await expect(run).rejects.toBe(error);
    expect(seen).toEqual(counted);
  });

  it('counts calls of a cloud by operation and outcome, and leaves the rest of the driver alone', async () => {
    class Driver {
      readonly name = 'a cloud';
      hosts = ['a'];
      listHosts = () => Promise.resolve(this.hosts);
      disableHost = () => Promise.reject(new CloudRefusal('no'));
      ping() {
        return Promise.reject(new Error(`${this.name} is away`));
      }
    }
    const { seen, measures } = recording();
    const cloud = observedCloud(new Driver() as unknown as CloudDriver, measureCalls(measures));
    expect(await cloud.listHosts()).toEqual(['a']);
    await expect(cloud.disableHost('a', '')).rejects.toThrow(CloudRefusal);
    await expect(cloud.ping()).rejects.toThrow('a cloud is away');
    expect(seen).toEqual([
      ['listHosts', 'ok'],
      ['disableHost', 'refused'],
      ['ping', 'failed'],
    ]);
    expect(cloud.name).toBe('a cloud');
    expect('projectNames' in cloud).toBe(false);
  });
});
