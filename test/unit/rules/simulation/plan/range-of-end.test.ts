/**
 * The range of an end is a promise: nine of ten ends lie in it. Sessions are planned, then played with times that
 * nobody knew before: of moves, of maintenances, and of answers, from projects that answer now and from others.
 */
import type { SeenTimes } from '../../../../../rules/expectations/expected-times';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
import { paceOf, playAt, sceneOf } from '../../../../../rules/simulation/plan/play';
import { aGroup, aHost, aHostIn } from '../../../../builders/a-fleet';
import { aConstrained, aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';
import { type Random, randomFrom } from '../../../../builders/random';

const projects = ['project-1', 'project-2', 'project-3'];
const between = (random: Random, least: number, most: number): number => least + random() * (most - least);

/** The projects that have not answered so far. */
const seenWith = (silent: readonly string[], random: Random): SeenTimes => ({
  maintenances: [],
  moves: projects.map((projectId) => ({ projectId, action: 'MIGRATE', seconds: between(random, 10, 40) })),
  answers: projects.map((projectId) =>
    silent.includes(projectId)
      ? { projectId, seconds: undefined, silentShare: 1 }
      : { projectId, seconds: 5, silentShare: 0 },
  ),
});

const aPlannedSession = (random: Random, silent: readonly string[]) => {
  const hosts = Array.from({ length: 4 + Math.floor(random() * 6) }, (_, at) => aHostIn('waiting', `old-${at}`));
  const instances = hosts.flatMap(({ name }, at) =>
    Array.from({ length: Math.floor(random() * 4) }, (_, own) => {
      const projectId = projects[Math.floor(random() * projects.length)]!;
      return aConstrained({ id: `${at}-${own}`, host: name, projectId, groupKey: projectId });
    }),
  );
  const groups = projects.map((key) => aGroup({ key, maxImpactedMembers: 1 + Math.floor(random() * 3) }));
  const session = aSessionInPlan({ actions: [{ type: 'host', seconds: 60 }] });
  return aPlanInput(
    { hosts: [...hosts, aHost({ name: 'spare' })], instances, groups },
    { sessions: [session], seen: seenWith(silent, random) },
  );
};

/** The same session as it goes: a silent project may answer after all, and one that has answered be silent. */
const endOf = (input: ReturnType<typeof aPlannedSession>, random: Random): number => {
  const scene = sceneOf(input);
  const expected = paceOf(scene, 'expected');
  const answers = new Map(projects.map((projectId) => [projectId, random() < 0.7]));
  const answerMs = (projectId: string, windowSeconds: number): number | null =>
    answers.get(projectId) === true ? Math.round(windowSeconds * 1000 * random() ** 2) : null;
  const slowness = between(random, 0.95, 1.05);
  return playAt(scene, {
    ...expected,
    projectAnswerMs: answerMs,
    answerMs: ({ projectId }, windowSeconds) => answerMs(projectId, windowSeconds),
    moveMs: (instance, action) => Math.round(expected.moveMs(instance, action) * between(random, 0.8, 1.2)),
    maintenanceMs: (host) => Math.round(expected.maintenanceMs(host) * slowness * between(random, 0.9, 1.1)),
  }).endsAtMs;
};

const sessions = 100;

it.each<{ situation: string; silent: readonly string[] }>([
  { situation: 'all projects have answered so far', silent: [] },
  { situation: 'one project was silent so far', silent: ['project-2'] },
  { situation: 'all projects were silent so far', silent: projects },
])('nine of ten ends lie in the range of the plan where $situation', ({ silent }) => {
  const ends = Array.from({ length: sessions }, (_, seed) => {
    const random = randomFrom(seed + 1);
    const input = aPlannedSession(random, silent);
    const { earliest, latest } = makePlan(input).endsAtMs!;
    const end = endOf(input, random);
    if (end < earliest) return 'before';
    return end > latest ? 'after' : 'within';
  });
  const counts = Object.groupBy(ends, (end) => end);
  expect(counts.within?.length).toBeGreaterThanOrEqual(0.9 * sessions);
});
