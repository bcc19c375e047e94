import { nothingDecided } from '../../../../rules/decisions/decision';
import {
  type HostEvent,
  hostEventsOf,
  type HostStep,
  stepOfHost,
  workAfter,
  type WorkBefore,
} from '../../../../rules/steps/host-step';
import { aHostIn } from '../../../builders/a-fleet';

const [failure, because] = ['host h: fan', 'skipped by the administrator'];

const setAside: HostEvent = { kind: 'setAside', failure };
const skip: HostEvent = { kind: 'skip', because };
const goOn: HostEvent = { kind: 'continue' };
const anew = { failure: null, refusedBecause: null, releases: 0 } as const;
const givenBack: HostEvent = { kind: 'givenBack', state: 'PLANNED_MAINTENANCE' };

it.each<{ work: WorkBefore; event: HostEvent; step: HostStep }>([
  { work: { phase: 'waiting' }, event: { kind: 'drain' }, step: { phase: 'emptying' } },
  { work: { phase: 'emptying' }, event: { kind: 'maintain' }, step: { phase: 'maintaining' } },
  { work: { phase: 'maintaining' }, event: { kind: 'notEmpty' }, step: { phase: 'emptying' } },
  { work: { phase: 'maintaining' }, event: { kind: 'maintained' }, step: { phase: 'maintained' } },
  {
    work: { phase: 'emptying' },
    event: { kind: 'giveBack', because: 'deadlock' },
    step: { phase: 'releasing', releases: { increment: 1 } },
  },
  { work: { phase: 'emptying' }, event: { kind: 'giveBack', because: 'time' }, step: { phase: 'releasing' } },
  { work: { phase: 'emptying' }, event: { kind: 'fail', failure }, step: { phase: 'releasing', failure } },
  {
    work: { phase: 'emptying' },
    event: { kind: 'refusedStill', failure },
    step: { phase: 'releasing', refusedBecause: failure },
  },
  { work: { phase: 'emptying' }, event: setAside, step: { phase: 'releasing', failure } },
  { work: { phase: 'waiting' }, event: setAside, step: { phase: 'set_aside', failure } },
  { work: { phase: 'failed' }, event: setAside, step: { phase: 'set_aside', failure } },
  { work: { phase: 'emptying' }, event: skip, step: { phase: 'releasing', skipReason: because, failure: null } },
  { work: { phase: 'waiting' }, event: skip, step: { phase: 'skipped', skipReason: because, failure: null } },
  { work: { phase: 'maintaining' }, event: skip, step: { phase: 'skipped', skipReason: because, failure: null } },
  { work: { phase: 'releasing' }, event: givenBack, step: { phase: 'waiting' } },
  { work: { phase: 'releasing', failure: null, skipReason: null }, event: givenBack, step: { phase: 'waiting' } },
  { work: { phase: 'releasing', failure }, event: givenBack, step: { phase: 'failed' } },
  {
    work: { phase: 'releasing', failure },
    event: { kind: 'givenBack', state: 'MAINTENANCE_COMPLETE' },
    step: { phase: 'set_aside' },
  },
  {
    work: { phase: 'releasing', failure, skipReason: because },
    event: givenBack,
    step: { phase: 'skipped', failure: null },
  },
  { work: { phase: 'failed' }, event: goOn, step: { phase: 'waiting', ...anew } },
  { work: { phase: 'failed', skipReason: because }, event: goOn, step: { phase: 'releasing', ...anew } },
  { work: { phase: 'waiting', skipReason: because }, event: goOn, step: { phase: 'releasing', ...anew } },
  { work: { phase: 'set_aside', skipReason: because }, event: goOn, step: { phase: 'releasing' } },
  { work: { phase: 'set_aside', failure }, event: goOn, step: { phase: 'set_aside' } },
  { work: { phase: 'skipped', skipReason: because }, event: goOn, step: { phase: 'skipped', ...anew } },
  { work: { phase: 'maintained' }, event: goOn, step: { phase: 'maintained', ...anew } },
])('a host with $work to which $event.kind happens becomes $step', ({ work, event, step }) => {
  expect(stepOfHost(work, event)).toEqual(step);
});

it('counts the times that a host is given back for others, and forgets the failure of one that is skipped', () => {
  const { work } = aHostIn('emptying', 'h');
  const released = workAfter(work!, stepOfHost(work!, { kind: 'giveBack', because: 'deadlock' }));
  expect(released).toMatchObject({ phase: 'releasing', releases: work!.releases + 1 });
  const skipped = workAfter({ ...released, failure }, stepOfHost(released, skip));
  expect(skipped).toMatchObject({ phase: 'skipped', skipReason: because });
  expect(skipped).not.toHaveProperty('failure');
});

it('has everything happen that a decision says of hosts', () => {
  const decision = {
    ...nothingDecided,
    drain: ['drained'],
    begin: ['empty'],
    giveBackForDeadlock: ['stuck'],
    giveBackForTime: ['late'],
    setAside: [{ hostname: 'broken', failure }],
    gone: ['removed'],
  };
  expect(hostEventsOf(decision).map(({ hostname, event }) => [hostname, event.kind])).toEqual([
    ['broken', 'setAside'],
    ['removed', 'skip'],
    ['empty', 'maintain'],
    ['drained', 'drain'],
    ['stuck', 'giveBack'],
    ['late', 'giveBack'],
  ]);
});
