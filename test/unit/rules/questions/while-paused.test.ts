import type { NegotiationStep } from '../../../../rules/questions/negotiation';
import type { ScaleInStep } from '../../../../rules/questions/scale-in-round';
import { holdBackQuestions, holdBackScaleIn } from '../../../../rules/questions/while-paused';

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
