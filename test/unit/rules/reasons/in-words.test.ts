/** Every kind of wait in each place where people read it: detail, summary, `explain` and page. */
import { examples } from '../../../../api/openapi/examples';
import type { SessionDetailBody } from '../../../../api/schemas/session-schemas';
import { waitsOf } from '../../../../api/summary/waits';
import { tellReason } from '../../../../api/waiting/tell-reason';
import { explain } from '../../../../cli/client/commands/explain';
import type { Cause } from '../../../../rules/obstacles/blocker';
import { type Owner, ownerInWords } from '../../../../rules/obstacles/owner';
import { furtherReason, helpForWait, inWords, ownedWait, waitKinds } from '../../../../rules/reasons/in-words';
import type { WaitKind } from '../../../../rules/reasons/reason';
import { asSeen } from '../../../../rules/words/what-they-see';

interface Row {
  readonly kind: WaitKind;
  /** Left out: "web", which is no ID. */
  readonly subject?: string;
  readonly because?: string;
  /** The owner and the help that the decision has noted. */
  readonly noted?: Omit<Cause, 'because'>;
  readonly inWords: string;
  /** What is said beside the words; left out: they say all. */
  readonly says?: readonly string[];
  readonly owner: Owner;
  /** The beginning of the help; left out: `because` says it. */
  readonly help?: string;
}

const owners: Readonly<Record<Owner, string>> = {
  ...{ project: 'the tenant', operator: 'the cloud team', admin: 'you', service: 'nobody' },
};
const ownersOfProject = { ...owners, project: 'the tenant vepc' };

const untaken = 'the webhook of the project has not taken the question';
const tooLong = 'it takes 20 minutes';

const rows: readonly Row[] = [
  { kind: 'group', inWords: 'group web, which is at its limit', owner: 'service', help: 'other members come back' },
  { kind: 'room', inWords: 'capacity: web', owner: 'operator', help: 'free capacity, enable a host' },
  { kind: 'room', subject: 'p', inWords: 'capacity that project vepc frees', owner: 'project', help: 'free capacity' },
  {
    ...{
      kind: 'room',
      because: 'web-1 waits for capacity',
      says: ['web-1 waits for capacity'],
      inWords: 'capacity: web',
    },
    ...{ noted: { owner: 'project', help: 'let more' }, owner: 'project', help: 'let more' },
  },
  {
    ...{
      kind: 'room',
      subject: 'p',
      because: '4 vcpus',
      says: ['4 vcpus'],
      inWords: 'capacity that project vepc frees',
    },
    ...{ owner: 'project', help: 'free capacity' },
  },
  { kind: 'affinity', inWords: 'a host that suits group web', owner: 'project' },
  {
    kind: 'answer',
    subject: 'p',
    inWords: 'the answer of project vepc',
    owner: 'project',
    help: 'its manager answers (parley questions, parley reply)',
  },
  {
    ...{ kind: 'owner_time', subject: 'p', owner: 'project', help: 'the time comes' },
    inWords: 'the time that project vepc has set',
  },
  {
    ...{ kind: 'service', subject: 'p', owner: 'service', help: 'nothing has to be done' },
    inWords: 'the service to continue without project vepc, which did not answer in time',
  },
  { kind: 'recovery', inWords: 'group web, which recovers', owner: 'service', help: 'recovery_time passes' },
  {
    ...{ kind: 'members', because: 'pod web/web-1 is not Ready since noon', owner: 'project' },
    ...{ inWords: 'members of group web to serve again', says: ['pod web/web-1 is not Ready since noon'] },
  },
  { kind: 'host', inWords: 'its turn, after host web', owner: 'service', help: 'its turn comes' },
  { kind: 'host', subject: 'h', inWords: 'its turn', owner: 'service', help: 'its turn comes' },
  { kind: 'host', subject: 'i', inWords: 'the move of web-1', owner: 'service', help: 'its turn comes' },
  {
    kind: 'place',

    inWords: 'the place that host web frees',
    owner: 'service',
    help: 'nothing has to be done',
  },
  {
    kind: 'target',
    inWords: 'another target than host web, which takes no instances now',
    owner: 'service',
    help: 'nothing has to be done',
  },
  { kind: 'bus', subject: 'p', inWords: 'the message bus', owner: 'operator', help: 'the message bus takes events' },
  {
    ...{ kind: 'bus', subject: 'p', because: untaken, says: [untaken] },
    ...{ inWords: 'the webhook of project vepc', owner: 'project', help: 'the webhook takes it' },
  },
  { kind: 'time', subject: '12:00', inWords: 'its time, 12:00', owner: 'service', help: 'nothing has to be done' },
  {
    kind: 'window',
    subject: 'a window of 20 minutes',
    because: tooLong,
    says: [tooLong],
    noted: { owner: 'admin', help: 'make a window longer (PATCH /v1/maintenance/{session_id})' },
    inWords: 'a window of 20 minutes',
    owner: 'admin',
    help: 'make a window longer (parley set)',
  },
  { kind: 'resume', inWords: 'the resume of the session', owner: 'admin', help: 'parley resume' },
  {
    kind: 'resume',
    because: 'the canary is done',
    inWords: 'the resume of the session: the canary is done',
    owner: 'admin',
    help: 'parley resume',
  },
  {
    ...{ kind: 'state', subject: 'h', owner: 'operator' },
    inWords: 'another state of an instance',
  },
  {
    ...{ kind: 'state', subject: 'p', because: 'it is SUSPENDED', noted: { owner: 'project', help: 'resume it' } },
    inWords: 'another state of an instance: it is SUSPENDED',
    owner: 'project',
    help: 'resume it',
  },
  {
    ...{ kind: 'move', subject: 'h', owner: 'service', help: 'it is tried again by itself' },
    inWords: 'the cloud to carry out a move from host h',
  },
  {
    ...{ kind: 'move', subject: 'h', because: 'the budget web needs 2 pods', owner: 'service' },
    inWords: 'the cloud to carry out a move from host h: the budget web needs 2 pods',
    ...{ help: 'it is tried again by itself' },
  },
  { kind: 'content', subject: 'h', inWords: 'the host to be free for work', owner: 'operator' },
  {
    ...{ kind: 'content', subject: 'p', because: 'a resize waits', noted: { owner: 'project', help: 'confirm it' } },
    ...{ inWords: 'the host to be free for work: a resize waits', owner: 'project', help: 'confirm it' },
  },
  { kind: 'right', inWords: 'the right web in the cloud', owner: 'operator', help: 'allow it to the role' },
  { kind: 'start', subject: 'h', inWords: 'host h to be back', owner: 'operator', help: 'start it' },
  {
    ...{ kind: 'release', subject: 'h', because: 'swap the disk' },
    ...{ inWords: 'a person: swap the disk', owner: 'admin', help: 'do the work' },
  },
];

/** The beginning of the session's detail has one host, "h", and this reason of it. */
const shownOf = ({ kind, subject = 'web', because, noted }: Row) => {
  const named = tellReason({
    ...{ hosts: [{ hostname: 'h' }], instances: [{ instanceId: 'i', instanceName: 'web-1', projectId: 'p' }] },
    ...{ openQuestions: [], projectNames: new Map([['p', 'vepc']]) },
  } as never);
  const inDetail = named({ waitingFor: kind, who: 'h', subject, because, ...noted });
  const [inSummary] = waitsOf([inDetail], { sessionId: 's', hostnames: new Set(['h']), isUnderWork: () => false });
  const { session, hosts, ...rest } = examples.SessionDetail;
  const host = { ...hosts[0]!, hostname: 'h', details: '', waiting: inDetail };
  const summary = { progress: 'running', state: session.state, failure: null } as const;
  const detail: unknown = { ...rest, session: { ...session, waiting: [inDetail] }, hosts: [host], instances: [] };
  return {
    inDetail,
    inSummary: inSummary!,
    explained: explain({ detail: detail as SessionDetailBody, summary }, 'h') ?? [],
  };
};

it('the table below has every kind', () => {
  expect([...new Set(rows.map(({ kind }) => kind))]).toEqual(waitKinds);
});

describe.each(rows)('a wait for $inWords ($kind)', (row) => {
  const { inDetail, inSummary, explained } = shownOf(row);

  it('is said in the same words in detail, summary and explain, and on the page', () => {
    expect(inWords(inDetail)).toBe(row.inWords);
    expect(inWords(inSummary)).toBe(row.inWords);
    expect(explained[1]).toBe(`  waits for ${row.inWords}`);
  });

  it('is helped on the page by neither a request nor a command', () => {
    expect(asSeen(helpForWait(inDetail) ?? '', 'page')).not.toMatch(/\b(GET|PUT|POST|PATCH|DELETE) |\bparley [a-z]/);
  });

  it('has its reason said once', () => {
    const reasons = explained.filter((line) => line.startsWith('  because ')).map((line) => line.slice(10));
    expect(reasons).toEqual(row.says ?? []);
    expect(furtherReason(inSummary)).toBe(row.says?.[0]);
  });

  it(`is up to: ${row.owner}`, () => {
    expect(inSummary.owner).toBe(row.owner);
    expect(ownerInWords(ownedWait(inSummary))).toBe(
      row.subject === 'p' ? ownersOfProject[row.owner] : owners[row.owner],
    );
  });

  it(`is helped by: ${row.help ?? 'what its reason says'}`, () => {
    const helps = explained.filter((line) => line.startsWith('  what would help: '));
    expect(helps.map((line) => line.slice(19, 19 + (row.help ?? '').length))).toEqual(row.help ? [row.help] : []);
  });
});

it.each([
  { kind: 'group', occupied: 1, occupied_by: ['i'], said: 'the limit is 1, and 1 counts against it now: i' },
  {
    kind: 'group',
    occupied: 3,
    occupied_by: ['i', 'j'],
    said: 'the limit is 1, and 3 count against it now: i, j, 1 more',
  },
  { kind: 'group', occupied: 2, occupied_by: [], said: 'the limit is 1, and 2 count against it now' },
  ...[
    {
      kind: 'affinity',
      occupied: 1,
      occupied_by: ['i'],
      said: 'the limit is 1 on each host, and 1 counts against it now: i',
    },
  ],
])('who occupies a limit is said beside it: $said', ({ kind, said, ...limit }) => {
  const wait = { waiting_for: kind, subject: 'web', subject_id: null, subject_name: 'web' };
  expect(furtherReason({ ...wait, limit: { max: 1, ...limit } })).toBe(said);
});

it.each([
  { kind: 'group', kept_by: 'service', helps: 'other members come back, or the project raises max_impacted_members' },
  {
    ...{ kind: 'group', kept_by: 'cloud' },
    helps: 'other members come back, or the owner of this limit in the cloud lets more of them be away',
  },
])('a limit of the kind $kind that the $kept_by keeps is helped by its owner', ({ kind, kept_by, helps }) => {
  const limit = { max: 1, kept_by, occupied: 1, occupied_by: [] };
  const wait = { waiting_for: kind, subject: 'web', subject_id: null, subject_name: 'web', limit };
  expect(helpForWait(wait)).toBe(helps);
});

it('a kind of a newer service is said by its name', () => {
  expect(inWords({ waiting_for: 'tide', subject: 'p', subject_id: 'p', subject_name: 'vepc' })).toBe('tide vepc');
});
