import { keyOf } from '../../../../rules/cloud/id';
import { refusalOfChangedAnswer } from '../../../../rules/questions/changed-answer';
import { decideReply, type Reply } from '../../../../rules/questions/decide-reply';
import type { Question } from '../../../../rules/questions/question';
import { anAnsweredQuestion, anAskedQuestion, aQuestion, aSilentQuestion } from '../../../builders/a-question';

const aReply = (fields: Partial<Reply> = {}): Reply => ({
  state: 'PLANNED_MAINTENANCE',
  answer: 'ACK',
  instanceActions: {},
  ...fields,
});

const nowMs = 10_000;

const answer = (questionId: string, instanceActions = {}) => ({ kind: 'answer', questionId, instanceActions });
const change = (questionId: string, changes: readonly string[], instanceActions = {}) => ({
  ...answer(questionId, instanceActions),
  kind: 'change',
  changes,
});
const repeat = { kind: 'repeat' };
const refuse = (code: string, pointer = '/state'): unknown =>
  expect.objectContaining({ kind: 'refuse', code, pointer });

interface Row {
  readonly situation: string;
  readonly questions: Question[];
  readonly reply: Reply;
  readonly decision: unknown;
}

const first = { id: 'first', createdAtMs: 0, instanceIds: ['instance-1'] };
const second = { id: 'second', createdAtMs: 60_000, instanceIds: ['instance-2'] };

describe('a reply to an open question', () => {
  it.each<Row>([
    {
      situation: 'an ACK without actions',
      questions: [anAskedQuestion()],
      reply: aReply(),
      decision: answer('question-1'),
    },
    {
      situation: 'an ACK with an offered action',
      questions: [anAskedQuestion()],
      reply: aReply({ instanceActions: { 'instance-1': 'MIGRATE' } }),
      decision: answer('question-1', { 'instance-1': 'MIGRATE' }),
    },
    {
      situation: 'actions for its instance and for another one, which is left out',
      questions: [anAskedQuestion()],
      reply: aReply({ instanceActions: { 'instance-1': 'MIGRATE', 'instance-9': 'MIGRATE' } }),
      decision: answer('question-1', { 'instance-1': 'MIGRATE' }),
    },
    {
      situation: 'an action that is not offered',
      questions: [anAskedQuestion()],
      reply: aReply({ instanceActions: { 'instance-1': 'EVICTION' } }),
      decision: refuse('ACTION_NOT_OFFERED', '/instance_actions/instance-1'),
    },
    {
      situation: 'an action where none is offered',
      questions: [anAskedQuestion({ state: 'MAINTENANCE', allowedActions: [] })],
      reply: aReply({ state: 'MAINTENANCE', instanceActions: { 'instance-1': 'MIGRATE' } }),
      decision: refuse('ACTION_NOT_OFFERED', '/instance_actions/instance-1'),
    },
    {
      situation: 'a NACK, whose actions do not matter',
      questions: [anAskedQuestion()],
      reply: aReply({ answer: 'NACK', instanceActions: { 'instance-1': 'NO_SUCH_ACTION' } }),
      decision: answer('question-1'),
    },
    {
      situation: 'actions for any instance where the project chooses (SCALE_IN)',
      questions: [anAskedQuestion({ state: 'SCALE_IN', instanceIds: [], allowedActions: ['OWN_ACTION'] })],
      reply: aReply({ state: 'SCALE_IN', instanceActions: { 'instance-7': 'OWN_ACTION' } }),
      decision: answer('question-1', { 'instance-7': 'OWN_ACTION' }),
    },
    {
      situation: 'an action for another instance than SCALE_IN named',
      questions: [anAskedQuestion({ state: 'SCALE_IN', instanceIds: ['instance-1'], allowedActions: ['OWN_ACTION'] })],
      reply: aReply({ state: 'SCALE_IN', instanceActions: { 'instance-7': 'OWN_ACTION' } }),
      decision: answer('question-1', { 'instance-7': 'OWN_ACTION' }),
    },
    {
      situation: 'actions only for instances of an earlier question',
      questions: [
        anAnsweredQuestion('ACK', { ...first, instanceActions: { 'instance-1': 'MIGRATE' } }),
        anAskedQuestion(second),
      ],
      reply: aReply({ instanceActions: { 'instance-1': 'MIGRATE' } }),
      decision: repeat,
    },
    {
      situation: 'another action for an instance of an earlier question',
      questions: [anAnsweredQuestion('ACK', first), anAskedQuestion(second)],
      reply: aReply({ instanceActions: { 'instance-1': 'MIGRATE' } }),
      decision: change('first', ['instance-1'], { 'instance-1': 'MIGRATE' }),
    },
    {
      situation: 'actions only for an instance that nobody asked about, whose ID must be wrong',
      questions: [anAskedQuestion(second)],
      reply: aReply({ instanceActions: { 'instance-9': 'MIGRATE' } }),
      decision: refuse('CHOICE_MISPLACED', '/instance_actions/instance-9'),
    },
    {
      situation: 'actions only for an instance that another state was about',
      questions: [anAskedQuestion(second), anAnsweredQuestion('ACK', { ...first, state: 'MAINTENANCE' })],
      reply: aReply({ instanceActions: { 'instance-1': 'MIGRATE' } }),
      decision: repeat,
    },
    {
      situation: 'a NACK with an action for an instance that nobody asked about',
      questions: [anAskedQuestion(second)],
      reply: aReply({ answer: 'NACK', instanceActions: { 'instance-9': 'MIGRATE' } }),
      decision: answer('second'),
    },
    {
      situation: 'a second question of the state, its event sent',
      questions: [anAnsweredQuestion('ACK', first), anAskedQuestion(second)],
      reply: aReply(),
      decision: answer('second'),
    },
    {
      situation: 'a second question of the state, its event not sent yet',
      questions: [anAnsweredQuestion('ACK', first), aQuestion(second)],
      reply: aReply(),
      decision: repeat,
    },
    {
      situation: 'another answer than the earlier one, the event of a second question not sent yet',
      questions: [anAnsweredQuestion('ACK', first), aQuestion(second)],
      reply: aReply({ answer: 'NACK' }),
      decision: change('first', ['instance-1']),
    },
    {
      situation: 'an ACK after a NACK that is being asked about again, the event not sent yet',
      questions: [anAnsweredQuestion('NACK', first), aQuestion({ ...second, instanceIds: ['instance-1'] })],
      reply: aReply(),
      decision: answer('second'),
    },
    {
      situation: 'the same NACK once more while it is being asked about again, the event not sent yet',
      questions: [anAnsweredQuestion('NACK', first), aQuestion({ ...second, instanceIds: ['instance-1'] })],
      reply: aReply({ answer: 'NACK' }),
      decision: repeat,
    },
    {
      situation: 'the only question of the state, its event not sent yet',
      questions: [aQuestion()],
      reply: aReply(),
      decision: answer('question-1'),
    },
    {
      situation: 'a question asked again after a NACK',
      questions: [anAnsweredQuestion('NACK', first), anAskedQuestion({ ...second, instanceIds: ['instance-1'] })],
      reply: aReply({ answer: 'NACK' }),
      decision: answer('second'),
    },
  ])('$situation', ({ questions, reply, decision }) => {
    expect(decideReply(questions, reply, { nowMs })).toEqual(decision);
  });
});

describe('a reply without an open question of its state', () => {
  it.each<Row>([
    {
      situation: 'the same answer again',
      questions: [anAnsweredQuestion('ACK', { instanceActions: { 'instance-1': 'MIGRATE' } })],
      reply: aReply({ instanceActions: { 'instance-1': 'MIGRATE' } }),
      decision: repeat,
    },
    {
      situation: 'an equal NACK within the pause before the question is asked again',
      questions: [anAnsweredQuestion('NACK')],
      reply: aReply({ answer: 'NACK' }),
      decision: repeat,
    },
    {
      situation: 'the same answer to SCALE_IN, the ID of the instance in another form',
      questions: [
        anAnsweredQuestion('ACK', {
          ...{ state: 'SCALE_IN', instanceIds: [], allowedActions: ['OWN_ACTION'], closedAtMs: 9_000 },
          instanceActions: { '0A000000-0000-4000-8000-000000000007': 'OWN_ACTION' },
        }),
      ],
      reply: aReply({ state: 'SCALE_IN', instanceActions: { '0a000000000040008000000000000007': 'OWN_ACTION' } }),
      decision: repeat,
    },
    {
      situation: 'the same answer after the state has moved on',
      questions: [
        anAnsweredQuestion('ACK', { ...first, state: 'PREPARE_MAINTENANCE' }),
        anAskedQuestion({ ...second, state: 'PLANNED_MAINTENANCE' }),
      ],
      reply: aReply({ state: 'PREPARE_MAINTENANCE' }),
      decision: repeat,
    },
    {
      situation: 'an answer that its timer took and closed',
      questions: [anAnsweredQuestion('ACK', { status: 'closed', closedAtMs: 20_000 })],
      reply: aReply(),
      decision: repeat,
    },
    {
      situation: 'too late: the timer closed the question unanswered',
      questions: [aSilentQuestion()],
      reply: aReply(),
      decision: refuse('TOO_LATE'),
    },
    {
      situation: 'the newest question closed unanswered, an earlier one answered',
      questions: [anAnsweredQuestion('ACK', first), aSilentQuestion(second)],
      reply: aReply(),
      decision: refuse('TOO_LATE'),
    },
    {
      situation: 'a repeat for an earlier answered question, by its instances',
      questions: [
        anAnsweredQuestion('ACK', { ...first, instanceActions: { 'instance-1': 'MIGRATE' } }),
        aSilentQuestion(second),
      ],
      reply: aReply({ instanceActions: { 'instance-1': 'MIGRATE' } }),
      decision: repeat,
    },
    {
      situation: 'a state that was never asked',
      questions: [anAskedQuestion()],
      reply: aReply({ state: 'SCALE_IN' }),
      decision: refuse('NEVER_ASKED'),
    },
    {
      situation: 'a state that does not exist',
      questions: [anAskedQuestion()],
      reply: aReply({ state: 'NO_SUCH_STATE' }),
      decision: refuse('NEVER_ASKED'),
    },
    { situation: 'no question at all', questions: [], reply: aReply(), decision: refuse('NEVER_ASKED') },
    {
      situation: 'an acknowledgement of INSTANCE_ACTION_DONE, which is told and not asked',
      questions: [],
      reply: aReply({ state: 'INSTANCE_ACTION_DONE' }),
      decision: repeat,
    },
  ])('$situation', ({ questions, reply, decision }) => {
    expect(decideReply(questions, reply, { nowMs })).toEqual(decision);
  });

  it('names the instance that the cloud cannot move, and says why, where another action is chosen for it', () => {
    const question = anAskedQuestion({ allowedActions: ['OWN_ACTION'], cannotMove: { 'instance-1': 'it is pinned' } });
    const names = new Map([[keyOf('instance-1'), 'vm-1']]);
    expect(
      decideReply([question], aReply({ instanceActions: { 'instance-1': 'LIVE_MIGRATE' } }), { nowMs, names }),
    ).toMatchObject({
      code: 'ACTION_NOT_OFFERED',
      because: expect.stringMatching(
        /^LIVE_MIGRATE is not offered for instance vm-1 \(instance-1\) in .* since it is pinned/,
      ) as string,
      hint: 'choose one of OWN_ACTION',
    });
    expect(
      decideReply([question], aReply({ instanceActions: { 'instance-1': 'OWN_ACTION' } }), { nowMs }),
    ).toMatchObject({
      kind: 'answer',
    });
  });

  it('tells a late project when its question was closed', () => {
    expect(
      decideReply([aSilentQuestion({ closedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5) })], aReply(), { nowMs }),
    ).toMatchObject({
      because: 'the question about PLANNED_MAINTENANCE was closed at 2026-01-02T03:04:05.000Z, unanswered',
    });
  });

  it('names what is open just now', () => {
    expect(decideReply([anAskedQuestion()], aReply({ state: 'SCALE_IN' }), { nowMs })).toMatchObject({
      hint: 'open just now: ACK_PLANNED_MAINTENANCE or NACK_PLANNED_MAINTENANCE',
    });
  });
});

describe('a second answer that differs', () => {
  const [one, two] = ['instance-1', 'instance-2'];
  const both = { instanceIds: [one, two] };
  const chosen = { instanceActions: { [one]: 'MIGRATE' as const } };

  it.each<Row>([
    {
      situation: 'refuses what was accepted: all of it changes',
      questions: [anAnsweredQuestion('ACK', both)],
      reply: aReply({ answer: 'NACK' }),
      decision: change('question-1', [one, two]),
    },
    {
      situation: 'accepts what was refused',
      questions: [anAnsweredQuestion('NACK', both)],
      reply: aReply({ instanceActions: { [two]: 'OWN_ACTION' } }),
      decision: change('question-1', [one, two], { [two]: 'OWN_ACTION' }),
    },
    {
      situation: 'chooses for one instance more: only that one changes',
      questions: [anAnsweredQuestion('ACK', { ...both, ...chosen })],
      reply: aReply({ instanceActions: { [one]: 'MIGRATE', [two]: 'OWN_ACTION' } }),
      decision: change('question-1', [two], { [one]: 'MIGRATE', [two]: 'OWN_ACTION' }),
    },
    {
      situation: 'leaves a choice to the default behaviour',
      questions: [anAnsweredQuestion('ACK', { ...both, ...chosen })],
      reply: aReply(),
      decision: change('question-1', [one]),
    },
    {
      situation: 'about no single instance',
      questions: [anAnsweredQuestion('ACK', { state: 'SCALE_IN', instanceIds: [] })],
      reply: aReply({ state: 'SCALE_IN', answer: 'NACK' }),
      decision: change('question-1', []),
    },
    {
      situation: 'chooses what is not offered',
      questions: [anAnsweredQuestion('ACK')],
      reply: aReply({ instanceActions: { [one]: 'EVICTION' } }),
      decision: refuse('ACTION_NOT_OFFERED', `/instance_actions/${one}`),
    },
    {
      situation: 'comes after the session has gone on from it',
      questions: [anAnsweredQuestion('ACK', { state: 'MAINTENANCE', closedAtMs: 9_000 })],
      reply: aReply({ state: 'MAINTENANCE', answer: 'NACK' }),
      decision: refuse('ALREADY_BEGUN'),
    },
    {
      situation: 'is equal after the session has gone on from it',
      questions: [anAnsweredQuestion('ACK', { state: 'MAINTENANCE', closedAtMs: 9_000 })],
      reply: aReply({ state: 'MAINTENANCE' }),
      decision: repeat,
    },
  ])('$situation', ({ questions, reply, decision }) => {
    expect(decideReply(questions, reply, { nowMs })).toEqual(decision);
  });
});

describe('a second answer that changes an action', () => {
  const question = anAnsweredQuestion('ACK', {
    instanceIds: ['instance-1', 'instance-2'],
    instanceActions: { 'instance-1': 'MIGRATE' },
  });
  const begun = [
    {
      instanceId: 'instance-1',
      instanceName: 'vm-1',
      action: 'MIGRATE' as const,
      sinceMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    },
  ];
  const refusal = (reply: Reply) => {
    const decision = decideReply([question], reply, { nowMs });
    return decision.kind === 'change' ? refusalOfChangedAnswer(decision, reply, begun) : decision;
  };

  it('is refused with what has begun and when', () => {
    expect(refusal(aReply({ answer: 'NACK' }))).toMatchObject({
      code: 'ALREADY_BEGUN',
      because: 'MIGRATE of instance vm-1 (instance-1) began at 2026-01-02T03:04:05.000Z, by the answer before this one',
      pointer: '/state',
    });
  });

  it('is refused as a whole where one of its actions has begun', () => {
    const reply = aReply({ instanceActions: { 'instance-1': 'OWN_ACTION', 'instance-2': 'OWN_ACTION' } });
    expect(refusal(reply)).toMatchObject({ code: 'ALREADY_BEGUN', pointer: '/instance_actions/instance-1' });
  });

  it('counts where it changes only what has not begun', () => {
    const reply = aReply({ instanceActions: { 'instance-1': 'MIGRATE', 'instance-2': 'OWN_ACTION' } });
    expect(refusal(reply)).toBeUndefined();
  });

  it('is refused also where the claim has the ID in another form', () => {
    const decision = decideReply([question], aReply({ answer: 'NACK' }), { nowMs });
    const other = begun.map((one) => ({ ...one, instanceId: 'INSTANCE1' }));
    expect(
      decision.kind === 'change' && refusalOfChangedAnswer(decision, aReply({ answer: 'NACK' }), other),
    ).toMatchObject({
      because: expect.stringContaining('instance vm-1 (instance-1) began') as string,
    });
  });

  it('counts where it chooses just what has begun', () => {
    const reply = aReply({ instanceActions: { 'instance-1': 'MIGRATE' } });
    const decision = decideReply([{ ...question, instanceActions: {} }], reply, { nowMs });
    expect(decision).toEqual(change('question-1', ['instance-1'], { 'instance-1': 'MIGRATE' }));
    expect(decision.kind === 'change' && refusalOfChangedAnswer(decision, reply, begun)).toBeUndefined();
  });
});

describe('a question about instances that have all gone', () => {
  const unneeded = anAskedQuestion({ status: 'unneeded', closedAtMs: 5_000, replyAtMs: 20_000 });

  it.each([
    {
      situation: 'is answerable until its time is over',
      atMs: 19_999,
      questions: [unneeded],
      decision: answer('question-1'),
    },
    {
      situation: 'is not answerable any more after that',
      atMs: 20_000,
      questions: [unneeded],
      decision: refuse('TOO_LATE'),
    },
    {
      situation: 'is repeated after that',
      atMs: 20_000,
      questions: [{ ...unneeded, answer: 'ACK' as const }],
      decision: repeat,
    },
    {
      situation: 'leaves a reply to the question that is open now',
      atMs: 10_000,
      questions: [unneeded, anAskedQuestion(second)],
      decision: answer('second'),
    },
  ])('$situation', ({ questions, atMs, decision }) => {
    expect(decideReply(questions, aReply(), { nowMs: atMs })).toEqual(decision);
  });
});

describe('a reply for an instance', () => {
  const instanceQuestion = anAskedQuestion({ id: 'own', instanceId: 'instance-1' });

  it.each<Row>([
    {
      situation: 'answers the question about that instance',
      questions: [anAskedQuestion({ id: 'project-wide' }), instanceQuestion],
      reply: aReply({ instanceId: 'instance-1', instanceAction: 'OWN_ACTION' }),
      decision: answer('own', { 'instance-1': 'OWN_ACTION' }),
    },
    {
      situation: 'takes the action from the field of the project as a whole, where it names this instance alone',
      questions: [instanceQuestion],
      reply: aReply({ instanceId: 'instance-1', instanceActions: { 'instance-1': 'OWN_ACTION' } }),
      decision: answer('own', { 'instance-1': 'OWN_ACTION' }),
    },
    {
      situation: 'may say the same in both fields',
      questions: [instanceQuestion],
      reply: aReply({
        ...{ instanceId: 'instance-1', instanceAction: 'MIGRATE' },
        instanceActions: { 'instance-1': 'MIGRATE' },
      }),
      decision: answer('own', { 'instance-1': 'MIGRATE' }),
    },
    {
      situation: 'is refused where its two fields contradict each other',
      questions: [instanceQuestion],
      reply: aReply({
        ...{ instanceId: 'instance-1', instanceAction: 'OWN_ACTION' },
        instanceActions: { 'instance-1': 'MIGRATE' },
      }),
      decision: refuse('CHOICE_MISPLACED', '/instance_action'),
    },
    {
      situation: 'is refused where it chooses for another instance as well',
      questions: [instanceQuestion],
      reply: aReply({
        instanceId: 'instance-1',
        instanceActions: { 'instance-1': 'MIGRATE', 'instance-2': 'MIGRATE' },
      }),
      decision: refuse('CHOICE_MISPLACED', '/instance_actions/instance-2'),
    },
    {
      situation: 'may refuse with choices for others, since a NACK chooses nothing',
      questions: [instanceQuestion],
      reply: aReply({ instanceId: 'instance-1', answer: 'NACK', instanceActions: { 'instance-2': 'MIGRATE' } }),
      decision: answer('own'),
    },
    {
      situation: 'does not answer for another instance',
      questions: [instanceQuestion],
      reply: aReply({ instanceId: 'instance-2' }),
      decision: refuse('NEVER_ASKED'),
    },
    {
      situation: 'does not answer a project-wide question',
      questions: [anAskedQuestion()],
      reply: aReply({ instanceId: 'instance-1' }),
      decision: refuse('NEVER_ASKED'),
    },
    {
      situation: 'is refused with its own field where the action is not offered',
      questions: [instanceQuestion],
      reply: aReply({ instanceId: 'instance-1', instanceAction: 'EVICTION' }),
      decision: refuse('ACTION_NOT_OFFERED', '/instance_action'),
    },
    {
      situation: 'is refused with the field that has the action that is not offered',
      questions: [instanceQuestion],
      reply: aReply({ instanceId: 'instance-1', instanceActions: { 'instance-1': 'EVICTION' } }),
      decision: refuse('ACTION_NOT_OFFERED', '/instance_actions/instance-1'),
    },
  ])('$situation', ({ questions, reply, decision }) => {
    expect(decideReply(questions, reply, { nowMs })).toEqual(decision);
  });

  it('is told the address where the project was asked by instance', () => {
    expect(decideReply([instanceQuestion], aReply(), { nowMs })).toMatchObject({
      kind: 'refuse',
      hint: 'PLANNED_MAINTENANCE was asked for single instances; reply to the reply_url of each event',
    });
  });
});

describe('an action without an instance, in a reply of a whole project', () => {
  const one = anAskedQuestion();
  const two = anAskedQuestion({ instanceIds: ['instance-1', 'instance-2'] });
  const instanceAction = 'MIGRATE';
  const misplaced = refuse('CHOICE_MISPLACED', '/instance_action');

  it.each<Row>([
    {
      situation: 'is that of the one instance in the question',
      questions: [one],
      reply: aReply({ instanceAction }),
      decision: answer('question-1', { 'instance-1': 'MIGRATE' }),
    },
    {
      situation: 'is refused where the question has several instances',
      questions: [two],
      reply: aReply({ instanceAction }),
      decision: misplaced,
    },
    {
      situation: 'is refused where the question has several instances, beside actions that name them',
      questions: [two],
      reply: aReply({ instanceAction, instanceActions: { 'instance-1': 'MIGRATE', 'instance-2': 'MIGRATE' } }),
      decision: misplaced,
    },
    {
      situation: 'is refused where the project chooses the instance (SCALE_IN)',
      questions: [anAskedQuestion({ state: 'SCALE_IN', allowedActions: ['MIGRATE'] })],
      reply: aReply({ state: 'SCALE_IN', instanceAction }),
      decision: misplaced,
    },
    {
      situation: 'is refused where it contradicts the action by name',
      questions: [one],
      reply: aReply({ instanceAction, instanceActions: { 'instance-1': 'OWN_ACTION' } }),
      decision: misplaced,
    },
    {
      situation: 'counts beside an action for an instance that the question is not about',
      questions: [one],
      reply: aReply({ instanceAction, instanceActions: { 'instance-9': 'OWN_ACTION' } }),
      decision: answer('question-1', { 'instance-1': 'MIGRATE' }),
    },
    {
      situation: 'is refused with its own field where it is not offered',
      questions: [one],
      reply: aReply({ instanceAction: 'EVICTION' }),
      decision: refuse('ACTION_NOT_OFFERED', '/instance_action'),
    },
    {
      situation: 'does not matter in a NACK',
      questions: [two],
      reply: aReply({ answer: 'NACK', instanceAction }),
      decision: answer('question-1'),
    },
    {
      situation: 'is no change when it is repeated by name',
      questions: [anAnsweredQuestion('ACK', { instanceActions: { 'instance-1': 'MIGRATE' } })],
      reply: aReply({ instanceAction }),
      decision: repeat,
    },
    {
      situation: 'changes the answer before it',
      questions: [anAnsweredQuestion('ACK', { instanceActions: { 'instance-1': 'OWN_ACTION' } })],
      reply: aReply({ instanceAction }),
      decision: change('question-1', ['instance-1'], { 'instance-1': 'MIGRATE' }),
    },
  ])('$situation', ({ questions, reply, decision }) => {
    expect(decideReply(questions, reply, { nowMs })).toEqual(decision);
  });
});
