import { type ServiceProcess, waitUntilReady } from '../../../cli/stack/service-process';

const aService = { name: 'api', hasEnded: () => false } as ServiceProcess;

it('ends at the signal to stop, however long the service may still take', async () => {
  const told = new AbortController();
  const readiness = { withinMs: 120_000, logFile: '/nowhere', signal: told.signal };
  const isReady = () => {
    told.abort(new Error('stopped by SIGTERM'));
    return Promise.resolve(false);
  };
  await expect(waitUntilReady(aService, { ...readiness, isReady })).rejects.toThrow('stopped by SIGTERM');
});
