import type { Action } from '../../../../rules/decisions/fleet/fleet';
import {
  actionByAnswers,
  actionNow,
  actionOf,
  type ActionsOfCloud,
  type AskedAbout,
  coveringQuestion,
  defaultActionOf,
  stepByAnswer,
} from '../../../../rules/questions/action-by-answer';
import type { Question } from '../../../../rules/questions/question';
import { aDeparture } from '../../../builders/a-departure';
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

describe('the claim of an instance', () => {
  const instance = { id: 'instance-1', defaultAction: 'MIGRATE' } as const;

  it.each([
    { situation: 'was accepted', question: acked({}), step: { phase: 'moving', action: 'MIGRATE' } },
    {
      situation: 'was accepted with a choice',
      question: acked({ 'instance-1': 'OWN_ACTION' }),
      step: { phase: 'moving', action: 'OWN_ACTION' },
    },
    { situation: 'ended in silence', question: aSilentQuestion(), step: { phase: 'moving', action: 'MIGRATE' } },
    { situation: 'was refused', question: anAnsweredQuestion('NACK'), step: { phase: 'asked' } },
    {
      situation: 'was refused when nobody waited for it any more',
      question: anAnsweredQuestion('NACK', { status: 'unneeded' }),
      step: { phase: 'moving', action: 'MIGRATE' },
    },
    { situation: 'needs no answer', question: undefined, step: { phase: 'moving', action: 'MIGRATE' } },
  ])('is $step.phase when its question $situation', ({ question, step }) => {
    expect(stepByAnswer(instance, question)).toEqual(step);
  });
});

const asked = (questions: readonly Question[], fields: Partial<AskedAbout> = {}): AskedAbout => ({
  instance: { id: 'instance-1', host: 'host-1', defaultAction: 'MIGRATE', departure: aDeparture() },
  questions,
  ...fields,
});
const actsItself = acked({ 'instance-1': 'OWN_ACTION' });
const named = { id: 'instance-1', host: 'host-1', defaultAction: 'LIVE_MIGRATE' } as const;
const neverAsked = { ...named, departure: aDeparture(), leadTimeSeconds: 0 };

describe('an instance on a host that was asked about', () => {
  const isPinned = { createdAtMs: 5_000, cannotMove: { 'instance-1': 'it is pinned' } };
  const pinned = { ...actsItself, ...isPinned };
  const staying = { ...named, departure: aDeparture({ byProject: 'it is pinned' }) };
  const expiredAt = (endedAtMs: number, hostname = 'host-1') => ({ expired: { hostname, endedAtMs } });

  it.each<{ situation: string; of: AskedAbout; action: string | undefined }>([
    { situation: 'nobody was asked', of: asked([]), action: undefined },
    { situation: 'its question is open', of: asked([anAskedQuestion()]), action: undefined },
    { situation: 'its question was refused', of: asked([anAnsweredQuestion('NACK')]), action: undefined },
    { situation: 'its project stayed silent', of: asked([aSilentQuestion()]), action: 'MIGRATE' },
    { situation: 'its project chose', of: asked([actsItself]), action: 'OWN_ACTION' },
    { situation: 'its project chose none', of: asked([acked({})]), action: 'MIGRATE' },
    { situation: 'nothing is asked about it', of: asked([], { instance: neverAsked }), action: 'LIVE_MIGRATE' },
    { situation: 'its project did not act in time', of: asked([pinned], expiredAt(9_000)), action: 'MIGRATE' },
    {
      situation: 'its project did not act in time on another host',
      of: asked([pinned], expiredAt(9_000, 'host-2')),
      action: 'OWN_ACTION',
    },
    {
      situation: 'its project did not act in time, is asked again, and acts now',
      of: asked([pinned], { instance: staying, ...expiredAt(4_000) }),
      action: 'OWN_ACTION',
    },
    {
      situation: 'it cannot be moved, and was asked about before its host was opened again',
      of: asked([pinned], { instance: staying, sinceMs: 6_000 }),
      action: undefined,
    },
  ])('moves by $action where $situation', ({ of, action }) => {
    expect(actionByAnswers(of)).toBe(action);
  });
});

describe('a granted action that rests on an answer about its host, or under an earlier claim', () => {
  const live = { instanceActions: { 'instance-1': 'LIVE_MIGRATE' } } as const;
  const again = { id: 'question-2', createdAtMs: 9_000 };

  it.each([
    { situation: 'no question', of: asked([]), action: 'OWN_ACTION' },
    {
      situation: 'a question about other instances',
      of: asked([anAnsweredQuestion('NACK', { instanceIds: ['instance-2'] })]),
      action: 'OWN_ACTION',
    },
    { situation: 'silence', of: asked([aSilentQuestion()]), action: 'MIGRATE' },
    { situation: 'a refusal', of: asked([anAnsweredQuestion('NACK')]), action: 'refused' },
    { situation: 'another action', of: asked([anAnsweredQuestion('ACK', live)]), action: 'LIVE_MIGRATE' },
    {
      situation: 'a refusal that is asked about again',
      of: asked([anAnsweredQuestion('NACK'), anAskedQuestion(again)]),
      action: 'refused',
    },
    {
      situation: 'a refusal that was accepted the next time',
      of: asked([anAnsweredQuestion('NACK'), anAnsweredQuestion('ACK', { ...again, ...live })]),
      action: 'LIVE_MIGRATE',
    },
    {
      situation: 'a refusal of what is not asked about any more',
      of: asked([anAnsweredQuestion('NACK')], { instance: neverAsked }),
      action: 'LIVE_MIGRATE',
    },
  ])('after $situation begins as $action', ({ of, action }) => {
    expect(actionNow('OWN_ACTION', of)).toBe(action);
  });
});
