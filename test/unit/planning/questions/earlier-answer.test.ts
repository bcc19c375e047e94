import type { Admission } from '../../../../planning/decision';
import { withEarlierAnswers } from '../../../../planning/questions/earlier-answer';
import { anAnsweredQuestion } from '../../../builders/a-question';

const admission: Admission = {
  kind: 'ask',
  instanceId: 'instance-1',
  groupKey: 'group-1',
  source: 'host-1',
  target: 'host-2',
  action: 'LIVE_MIGRATE',
};
const own = { instanceId: 'instance-1', hostname: 'host-1' };
const accepted = anAnsweredQuestion('ACK', own);
const chosen = anAnsweredQuestion('ACK', { ...own, instanceActions: { 'instance-1': 'MIGRATE' } });
const elsewhere = anAnsweredQuestion('ACK', { ...own, hostname: 'host-3' });

it.each([
  { situation: 'it chose another action', question: chosen, given: admission, kind: 'move', action: 'MIGRATE' },
  { situation: 'it chose none', question: accepted, given: admission, kind: 'move', action: 'LIVE_MIGRATE' },
  {
    situation: 'it was about another host',
    question: elsewhere,
    given: admission,
    kind: 'ask',
    action: 'LIVE_MIGRATE',
  },
  {
    situation: 'nothing is to be asked any more',
    question: chosen,
    given: { ...admission, kind: 'move' as const },
    kind: 'move',
    action: 'LIVE_MIGRATE',
  },
])('$kind by $action when the earlier answer counts and $situation', ({ question, given, kind, action }) => {
  const answers = new Map([['instance-1', question]]);
  expect(withEarlierAnswers([given], answers)).toEqual([{ ...given, kind, action }]);
});

it('asks those who have not answered', () => {
  expect(withEarlierAnswers([admission], new Map())).toEqual([admission]);
});
