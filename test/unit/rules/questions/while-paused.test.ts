import type { HostPhase } from '../../../../rules/decisions/fleet/fleet';
import type { NegotiationStep } from '../../../../rules/questions/negotiation';
import type { ScaleInStep } from '../../../../rules/questions/scale-in-round';
import {
  holdBackQuestions,
  holdBackScaleIn,
  type PausedScene,
  waitingWhilePaused,
} from '../../../../rules/questions/while-paused';
import { resumeReason } from '../../../../rules/steering/work-now';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const pausedAtMs = Date.parse('2026-01-01T11:59:00Z');
const since = '2026-01-01T11:59:00.000Z';

const aHost = (name: string, phase: HostPhase, isAnnounced = false) => ({ name, phase, isAnnounced });

const shown = (given: Partial<PausedScene>) =>
  waitingWhilePaused({
    reasonFor: (who) => resumeReason(who, pausedAtMs),
    ...{ nowMs, hosts: [], instances: [], moving: new Set<string>(), questions: [] },
    ...given,
  }).map(({ who, waitingFor, subject, remainingMs }) => [who, waitingFor, subject, remainingMs]);

describe('why hosts and instances of a paused session wait', () => {
  it.each([
    { situation: 'not opened', host: aHost('a', 'waiting'), waits: true },
    { situation: 'emptied, with nothing of it in flight', host: aHost('a', 'emptying'), waits: true },
    { situation: 'to be maintained, and not announced yet', host: aHost('a', 'maintaining'), waits: true },
    { situation: 'in maintenance', host: aHost('a', 'maintaining', true), waits: false },
    { situation: 'given back', host: aHost('a', 'releasing'), waits: false },
    { situation: 'maintained', host: aHost('a', 'maintained'), waits: false },
  ])('a host that is $situation waits for the resume: $waits', ({ host, waits }) => {
    expect(shown({ hosts: [host] })).toEqual(waits ? [['a', 'resume', since, undefined]] : []);
  });

  it('a host waits for nothing while one of its instances moves; what does not move waits for the resume', () => {
    const instances = ['moves', 'stays'].map((id) => ({ id, host: 'a' }));
    const scene = { hosts: [aHost('a', 'emptying')], instances, moving: new Set(['moves']) };
    expect(shown(scene)).toEqual([['stays', 'resume', since, undefined]]);
  });

  it('an open question goes on: its instances wait for the answer, or for the bus until it is asked', () => {
    const instances = ['i', 'j', 'k'].map((id) => ({ id, host: 'a' }));
    const question = { projectId: 'p', hostname: 'a' };
    const questions = [
      { ...question, instanceIds: ['i'], askedAtMs: nowMs - 1, replyAtMs: nowMs + 7_000 },
      { ...question, instanceIds: ['j'] },
    ];
    expect(shown({ hosts: [aHost('a', 'emptying')], instances, questions })).toEqual([
      ['i', 'answer', 'p', 7_000],
      ['j', 'bus', 'p', undefined],
      ['k', 'resume', since, undefined],
    ]);
  });

  it('says nothing of instances on hosts that are maintained', () => {
    const instances = [{ id: 'i', host: 'a' }];
    expect(shown({ hosts: [aHost('a', 'maintained')], instances })).toEqual([]);
  });
});

describe('what a paused session does of what is due', () => {
  const step: NegotiationStep = {
    create: [{ projectId: 'p', instanceIds: [], windowSeconds: 1, allowedActions: [] }],
    ...{ close: ['over'], unneeded: ['gone'], open: ['open'], settled: true, refusedBy: 'q', lookAgainMs: 700 },
  };

  it('closes questions whose time is over, asks nothing, settles nothing and fails for no refusal', () => {
    expect(holdBackQuestions(step)).toEqual({
      ...{ create: [], close: ['over'], unneeded: ['gone'], open: ['open'], settled: false, lookAgainMs: 700 },
    });
  });

  it.each<{ step: ScaleInStep }>([
    { step: { kind: 'done', close: ['over'] } },
    {
      step: {
        ...{ kind: 'ask', close: ['over'], projectId: 'p' },
        record: { rounds: 1, newRound: true, least: { hostsLeft: 1, share: 1 } },
      },
    },
    { step: { kind: 'failed', close: ['over'], because: 'too little' } },
  ])('of a step of SCALE_IN that says $step.kind only closes what is over', ({ step: due }) => {
    expect(holdBackScaleIn(due, 1_000)).toMatchObject({ kind: 'wait', close: ['over'], projectIds: [] });
  });

  it('goes on waiting for whoever was asked to scale in', () => {
    const wait: ScaleInStep = { kind: 'wait', close: [], projectIds: ['p'], lookAgainMs: 900 };
    expect(holdBackScaleIn(wait, 60_000)).toEqual(wait);
  });
});
