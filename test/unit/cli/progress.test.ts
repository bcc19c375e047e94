import type { SessionDetailBody } from '../../../api/schemas/session-schemas';
import { changesBetween, progressToShow } from '../../../cli/demo/progress';
import { noShownSteering } from '../../builders/a-steering';

const project = 'a000ba7c000040008000000000000001';
const when = { created_at: '2026-01-01T00:00:00.000Z', updated_at: null };
const session_id = '5e551011-0000-4000-8000-000000000001';

const anInstance = (name: string, host: string): SessionDetailBody['instances'][number] => ({
  ...{ id: name, instance_id: name, instance_name: name, project_id: project, session_id, host },
  ...{ state: 'ACTIVE', action: null, action_done: false, project_state: '', details: null, ...when },
});

type Host = SessionDetailBody['hosts'][number];

const aHost = (hostname: string, changes: Partial<Host> = {}): Host => ({
  ...{ id: hostname, hostname, session_id, type: 'compute', disabled: false, maintained: false, details: '', ...when },
  ...{ phase: 'waiting', phase_since: when.created_at, waiting: null },
  ...{ drain_started_at: null, maintenance_started_at: null, past_phases: [] },
  ...changes,
});

type Waiting = SessionDetailBody['session']['waiting'];

const aReason = (given: Partial<Waiting[number]>): Waiting[number] => ({
  ...{ waiting_for: 'answer', who: 'a', who_name: null, subject: project, subject_id: project, subject_name: 'batch' },
  ...{ since: null, remaining_seconds: null },
  ...given,
});

const aDetail = (changes: Partial<SessionDetailBody> & { readonly waiting?: Waiting }): SessionDetailBody => {
  const { waiting = [], ...rest } = changes;
  const state = 'PLANNED_MAINTENANCE';
  const flags = {
    failure: null,
    downloads: [],
    resuming: false,
    paused_at: null,
    paused_because: null,
    aborting: false,
    deleting: false,
  };
  const times = { maintenance_at: when.created_at, ...when };
  const session = {
    workflow: 'default',
    session_id,
    state,
    prev_state: state,
    meta: {},
    waiting,
    ...flags,
    ...times,
    ...noShownSteering,
    start_seconds_left: null,
    deadline_seconds_left: null,
    deadline_missed: null,
    set_aside: [],
  };
  const none = { instances: [], hosts: [], action_plugin_instances: [] };
  return { session_id, state, percent_done: 0, session, ...none, ...rest };
};

describe('progressToShow', () => {
  it('counts what the instances of a host wait for, and those that move', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => anInstance(name, 'compute-1'));
    const instances = [a!, b!, { ...c!, action: 'MIGRATE' }, d!];
    const waiting = ['a', 'b'].map((who) => aReason({ who }));
    const detail = aDetail({ hosts: [aHost('compute-1', { disabled: true })], instances, waiting });
    expect(progressToShow(detail).hosts).toEqual([
      { name: 'compute-1', phase: 'draining', instances: 4, waitsFor: '1 moving, 2 × the answer of project batch' },
    ]);
  });

  it('names the group and the time that a recovery takes', () => {
    const waiting = [aReason({ waiting_for: 'recovery', subject_name: 'batch/small', remaining_seconds: 2 })];
    const detail = aDetail({ hosts: [aHost('compute-1')], instances: [anInstance('a', 'compute-1')], waiting });
    expect(progressToShow(detail).hosts[0]?.waitsFor).toBe('group batch/small, which recovers (2 s)');
  });

  it('says why a session that is to be resumed is paused', () => {
    const because = 'the canary is done (compute-1); resume to go on';
    const waiting = [aReason({ waiting_for: 'resume', who: 'compute-1', because })];
    const detail = aDetail({ hosts: [aHost('compute-1')], waiting });
    expect(progressToShow(detail).hosts[0]?.waitsFor).toBe(`the resume of the session: ${because}`);
  });
});

describe('changesBetween', () => {
  it('tells each thing that became different, once', () => {
    const before = progressToShow(aDetail({ hosts: [aHost('one'), aHost('two')] }));
    const now = aDetail({ percent_done: 50, hosts: [aHost('one', { maintained: true }), aHost('two')] });
    const after = progressToShow(now);
    expect(changesBetween(before, after)).toEqual(['session PLANNED_MAINTENANCE, 50 %', 'host one maintained']);
    expect(changesBetween(after, after)).toEqual([]);
  });
});
