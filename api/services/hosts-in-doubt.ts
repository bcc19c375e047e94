/** Blockers of hosts on which something may be that cannot be moved: no work on them begins while that is so. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { HostDoubt } from '../../rules/planning/fleet/host-findings';
import type { Blocker } from '../../rules/simulation/plan/plan';
import { askCloud } from './ask-cloud';
import type { PlanFacts } from './plan-facts';

/** Each costs the cloud a few requests. The session itself looks at every host. */
const mostLookedAt = 100;
const mostAtOnce = 8;

export const hostsInDoubt = async (cloud: CloudDriver, { input }: PlanFacts): Promise<readonly Blocker[]> => {
  const waiting = input.fleet.hosts.filter(
    ({ work }) => work?.sessionId === input.sessionId && work.phase === 'waiting',
  );
  const names = waiting.slice(0, mostLookedAt).map(({ name }) => name);
  const blockers: Blocker[] = [];
  for (let at = 0; at < names.length; at += mostAtOnce) {
    const some = names.slice(at, at + mostAtOnce);
    const contents = await askCloud(cloud, (asked) => Promise.all(some.map((name) => asked.whatIsOn(name))));
    blockers.push(...contents.flatMap(({ doubts }, index) => doubts.map((doubt) => inDoubt(some[index] ?? '', doubt))));
  }
  return blockers;
};

const inDoubt = (name: string, { owner, projectId, because, help }: HostDoubt): Blocker => ({
  ...{ kind: 'host_in_doubt', severity: 'stops', when: 'now', owner, because },
  subject: { kind: 'host', id: name, name },
  ...(projectId !== undefined && { projectId }),
  help: `${help}, or leave host ${name} out of the session`,
});
