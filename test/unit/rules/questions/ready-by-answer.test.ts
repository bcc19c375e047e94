import type { Question } from '../../../../rules/questions/question';
import { type AskedAboutHost, readyAction } from '../../../../rules/questions/ready-by-answer';
import { anAnsweredQuestion, anAskedQuestion, aSilentQuestion } from '../../../builders/a-question';

const asked = (questions: readonly Question[], fields: Partial<AskedAboutHost> = {}): AskedAboutHost => ({
  instance: { id: 'instance-1', host: 'host-1', defaultAction: 'MIGRATE' },
  questions,
  sinceMs: 0,
  expired: undefined,
  ...fields,
});
const actsItself = anAnsweredQuestion('ACK', {
  createdAtMs: 5_000,
  instanceActions: { 'instance-1': 'OWN_ACTION' },
  cannotMove: { 'instance-1': 'it is pinned' },
});
const staying = {
  id: 'instance-1',
  host: 'host-1',
  defaultAction: 'LIVE_MIGRATE',
  cannotMove: 'it is pinned',
} as const;
const expiredAt = (endedAtMs: number, hostname = 'host-1') => ({ expired: { hostname, endedAtMs } });

it.each<{ situation: string; of: AskedAboutHost; action: string | undefined }>([
  { situation: 'nobody was asked', of: asked([]), action: undefined },
  { situation: 'its question is open', of: asked([anAskedQuestion()]), action: undefined },
  { situation: 'its question was refused', of: asked([anAnsweredQuestion('NACK')]), action: undefined },
  { situation: 'its project stayed silent', of: asked([aSilentQuestion()]), action: 'MIGRATE' },
  { situation: 'its project chose', of: asked([actsItself]), action: 'OWN_ACTION' },
  {
    situation: 'nothing is asked about it',
    of: asked([], {
      instance: { id: 'instance-1', host: 'host-1', defaultAction: 'LIVE_MIGRATE', leadTimeSeconds: 0 },
    }),
    action: 'LIVE_MIGRATE',
  },
  {
    situation: 'its project did not act in time',
    of: asked([actsItself], expiredAt(9_000)),
    action: 'MIGRATE',
  },
  {
    situation: 'its project did not act in time on another host',
    of: asked([actsItself], expiredAt(9_000, 'host-2')),
    action: 'OWN_ACTION',
  },
  {
    situation: 'its project did not act in time, is asked again, and acts now',
    of: asked([actsItself], { instance: staying, ...expiredAt(4_000) }),
    action: 'OWN_ACTION',
  },
  {
    situation: 'it cannot be moved, and was asked about before its host was opened again',
    of: asked([actsItself], { instance: staying, sinceMs: 6_000 }),
    action: undefined,
  },
])('where $situation, an instance moves by $action', ({ of, action }) => {
  expect(readyAction(of)).toBe(action);
});
