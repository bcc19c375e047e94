import type { Action } from '../../../../rules/decisions/fleet/fleet';
import {
  actionOf,
  type ActionsOfCloud,
  coveringQuestion,
  defaultActionOf,
} from '../../../../rules/questions/chosen-action';
import type { Question } from '../../../../rules/questions/question';
import { anInstance } from '../../../builders/a-fleet';
import { anAnsweredQuestion, anAskedQuestion, aSilentQuestion } from '../../../builders/a-question';

const acked = (instanceActions: Record<string, Action>): Question => anAnsweredQuestion('ACK', { instanceActions });

describe('the action of an instance', () => {
  it.each<{ situation: string; type: Action | undefined; question: Question | undefined; action: Action }>([
    {
      situation: 'the answer names one',
      type: 'MIGRATE',
      question: acked({ 'instance-1': 'OWN_ACTION' }),
      action: 'OWN_ACTION',
    },
    {
      situation: 'the answer leaves it out',
      type: 'MIGRATE',
      question: acked({ other: 'OWN_ACTION' }),
      action: 'MIGRATE',
    },
    { situation: 'nothing is stored or chosen', type: undefined, question: acked({}), action: 'LIVE_MIGRATE' },
    { situation: 'nobody answered', type: 'MIGRATE', question: aSilentQuestion(), action: 'MIGRATE' },
    {
      situation: 'silence would be OWN_ACTION',
      type: 'OWN_ACTION',
      question: aSilentQuestion(),
      action: 'LIVE_MIGRATE',
    },
    {
      situation: 'the answer leaves out one of OWN_ACTION',
      type: 'OWN_ACTION',
      question: acked({}),
      action: 'LIVE_MIGRATE',
    },
    {
      situation: 'the answer names none, and OWN_ACTION alone was offered',
      type: 'MIGRATE',
      question: { ...acked({}), cannotMove: { 'instance-1': 'it is pinned' } },
      action: 'OWN_ACTION',
    },
    { situation: 'nothing was asked', type: 'MIGRATE', question: undefined, action: 'MIGRATE' },
  ])('is $action when $situation', ({ type, question, action }) => {
    const instance = anInstance(type === undefined ? {} : { migrationType: type });
    expect(actionOf(instance, question)).toBe(action);
  });
});

describe('the default behaviour of an instance', () => {
  const onVirtualMachines = {
    migrationTypes: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
    default: 'LIVE_MIGRATE',
  } as const;
  const onContainers = { migrationTypes: ['EVICTION', 'OWN_ACTION'], default: 'EVICTION' } as const;

  it.each<{ situation: string; actions: ActionsOfCloud; type: Action | undefined; action: Action }>([
    { situation: 'nothing is stored', actions: onVirtualMachines, type: undefined, action: 'LIVE_MIGRATE' },
    { situation: 'nothing is stored, on containers', actions: onContainers, type: undefined, action: 'EVICTION' },
    { situation: 'an action of the service is stored', actions: onVirtualMachines, type: 'MIGRATE', action: 'MIGRATE' },
    { situation: 'OWN_ACTION is stored', actions: onVirtualMachines, type: 'OWN_ACTION', action: 'LIVE_MIGRATE' },
    { situation: 'OWN_ACTION is stored, on containers', actions: onContainers, type: 'OWN_ACTION', action: 'EVICTION' },
    { situation: 'the cloud does not have the stored one', actions: onContainers, type: 'MIGRATE', action: 'EVICTION' },
  ])('is $action when $situation', ({ actions, type, action }) => {
    expect(defaultActionOf(actions, type)).toBe(action);
  });
});

describe('the question that covers an instance', () => {
  it.each<{ situation: string; questions: Question[]; id: string | undefined }>([
    { situation: 'none lists it', questions: [aSilentQuestion({ instanceIds: ['other'] })], id: undefined },
    { situation: 'it is still open', questions: [anAskedQuestion()], id: undefined },
    { situation: 'it was refused', questions: [anAnsweredQuestion('NACK')], id: undefined },
    {
      situation: 'two were settled: the newer',
      questions: [anAnsweredQuestion('ACK', { id: 'new', createdAtMs: 9 }), aSilentQuestion({ id: 'old' })],
      id: 'new',
    },
  ])('is $id when $situation', ({ questions, id }) => {
    expect(coveringQuestion('instance-1', questions)?.id).toBe(id);
  });
});
