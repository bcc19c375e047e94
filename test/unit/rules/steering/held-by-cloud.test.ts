import type { HostDoubt } from '../../../../rules/cloud/host-findings';
import { nothingDecided } from '../../../../rules/decisions/decision';
import { stateAfterLook } from '../../../../rules/decisions/scale-in/when-to-scale-in';
import {
  doubtsWhileDrained,
  heldByCloud,
  heldByController,
  lookAgainAtDoubtsMs,
  withoutHeldByCloud,
} from '../../../../rules/steering/held-by-cloud';
import { holdAlso, withHeld } from '../../../../rules/steering/hold-back';
import { aController, aFleet, aHost, aHostIn, aSessionId } from '../../../builders/a-fleet';

const doubt: HostDoubt = { owner: 'operator', because: 'nobody knows what is on it', help: 'repair it' };
const ofProject: HostDoubt = { owner: 'project', projectId: 'p', because: 'it may go back', help: 'confirm it' };

describe('hosts that the cloud keeps a session from', () => {
  it.each([
    { situation: 'nothing is in doubt', hosts: [aHostIn('waiting', 'a')], held: [] },
    {
      situation: 'something may be on a host that waits',
      hosts: [aHostIn('waiting', 'a', { doubt })],
      held: [{ who: 'a', waitingFor: 'content', subject: 'a', ...doubt }],
    },
    {
      situation: 'a project can put it right',
      hosts: [aHostIn('waiting', 'a', { doubt: ofProject })],
      held: [
        {
          ...{ who: 'a', waitingFor: 'content', subject: 'p' },
          ...{ owner: 'project', because: 'it may go back', help: 'confirm it' },
        },
      ],
    },
    { situation: 'the host is under work already', hosts: [aHostIn('emptying', 'a', { doubt })], held: [] },
  ])('$situation', ({ hosts, held }) => {
    expect(heldByCloud({ hosts })).toEqual(held);
  });

  it('are told of while they are drained, as long as the doubt lasts', () => {
    const hosts = [
      aHostIn('emptying', 'a', { doubt }),
      aHostIn('emptying', 'b'),
      aHostIn('waiting', 'c', { doubt }),
      aHostIn('maintaining', 'd', { doubt }),
    ];
    expect(doubtsWhileDrained(hosts)).toEqual([{ who: 'a', waitingFor: 'content', subject: 'a', ...doubt }]);
  });

  it('are told of a host that falls silent while it is drained', () => {
    const hosts = [aHostIn('emptying', 'a', { isDown: true }), aHostIn('waiting', 'b', { isDown: true })];
    expect(doubtsWhileDrained(hosts)).toEqual([
      {
        who: 'a',
        waitingFor: 'start',
        subject: 'a',
        because: expect.stringContaining('the host is silent') as string,
      },
    ]);
  });

  it('are all that wait while a right is missing, whatever else is in doubt', () => {
    const hosts = [aHostIn('waiting', 'a', { doubt }), aHostIn('waiting', 'b'), aHostIn('maintained', 'c')];
    const missingRight = { rule: 'compute:list', neededTo: 'see what is there' };
    expect(heldByCloud({ hosts, missingRight })).toMatchObject([
      { who: 'a', waitingFor: 'right', subject: 'compute:list' },
      { who: 'b', waitingFor: 'right', because: expect.stringContaining('needed to see what is there') as string },
    ]);
  });

  it('lead to no question for capacity', () => {
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a', { doubt })] });
    expect(stateAfterLook(withoutHeldByCloud(fleet), aSessionId)).toBe('START_MAINTENANCE');
  });

  it('keep the session from completing, and are looked at again soon', () => {
    const held = heldByCloud({ hosts: [aHostIn('waiting', 'a', { doubt })] });
    const nobody = { held: [], giveBack: [], lookAgainMs: Infinity };
    const work = holdAlso(nobody, { held, lookAgainMs: lookAgainAtDoubtsMs });
    const decision = withHeld({ ...nothingDecided, next: 'MAINTENANCE_COMPLETE' }, work);
    expect(decision.next).toBeUndefined();
    expect(decision).toMatchObject({ waiting: held, lookAgainMs: lookAgainAtDoubtsMs });
  });

  it('keep the reason for which they were held back before', () => {
    const before = { waitingFor: 'host', who: 'a', subject: 'b' } as const;
    const held = heldByCloud({ hosts: [aHostIn('waiting', 'a', { doubt })] });
    const work = { held: [before], giveBack: [], lookAgainMs: 5 };
    expect(holdAlso(work, { held, lookAgainMs: 7 })).toEqual({ ...work, held: [before] });
  });
});

describe('controllers that wait in a session of k8s', () => {
  const hosts = [
    aController('waiting', 'control-1'),
    aHost({ name: 'control-2', type: 'controller', isDown: true }),
    aHostIn('waiting', 'worker-1'),
  ];

  it('wait while another one is not up, whoever took it down', () => {
    expect(heldByController({ workflow: 'k8s', rolling: null }, { hosts })).toEqual([
      { waitingFor: 'start', who: 'control-1', subject: 'control-2' },
    ]);
  });

  it.each([
    { situation: 'all others are up', session: 'k8s', others: hosts.slice(2) },
    { situation: 'its workflow is another one', session: 'vnf', others: hosts.slice(1) },
  ])('wait for nobody where $situation', ({ session, others }) => {
    expect(heldByController({ workflow: session, rolling: null }, { hosts: [hosts[0]!, ...others] })).toEqual([]);
  });
});
