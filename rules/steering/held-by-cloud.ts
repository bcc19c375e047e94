/**
 * Hosts on which no work begins because of the cloud: something may be on them that cannot be moved, nobody knows what
 * is on them, or the service lacks a right that safety needs.
 */
import type { HostDoubt } from '../cloud/host-findings';
import { asksOnlyTheWilling, type RollingSession } from '../decisions/both-workflows/built-in-workflow';
import type { Fleet, Host } from '../decisions/fleet/fleet';
import { rightIsMissing } from '../obstacles/missing-right';
import type { Reason } from '../reasons/reason';
import { holdBack } from './hold-back';

/** Looks again at what is on such hosts after this time at the latest, in milliseconds. */
export const lookAgainAtDoubtsMs = 10_000;

/** The reasons of those hosts of the fleet that wait for their turn. */
export const heldByCloud = ({ hosts, missingRight }: Pick<Fleet, 'hosts' | 'missingRight'>): readonly Reason[] =>
  hosts.flatMap((host) => {
    if (host.work?.phase !== 'waiting') return [];
    if (missingRight !== undefined) return [rightReason(host, missingRight)];
    return host.doubt === undefined ? [] : [doubtReason(host.name, host.doubt)];
  });

/**
 * The reasons of controllers that wait while another controller of the cloud is not up, whoever took it down: `k8s`
 * keeps all the others of a control plane.
 */
export const heldByController = (session: RollingSession, { hosts }: Pick<Fleet, 'hosts'>): readonly Reason[] => {
  if (!asksOnlyTheWilling(session)) return [];
  const controllers = hosts.filter(({ type }) => type === 'controller');
  const away = controllers.filter(({ isDown, startingUntilMs }) => isDown === true || startingUntilMs !== undefined);
  return controllers.flatMap(({ name: who, work }): readonly Reason[] => {
    const other = work?.phase === 'waiting' ? away.find(({ name }) => name !== who) : undefined;
    return other === undefined ? [] : [{ waitingFor: 'start', who, subject: other.name }];
  });
};

/**
 * The reasons of hosts that are being drained although the cloud does not tell all that is on them: their instances are
 * neither asked about nor moved until it does. On a host that is silent, what is told to move away is not seen to go.
 */
export const doubtsWhileDrained = (hosts: readonly Host[]): readonly Reason[] =>
  hosts.flatMap(({ name, work, doubt, isDown }): readonly Reason[] => {
    if (work?.phase !== 'emptying') return [];
    if (doubt !== undefined) return [doubtReason(name, doubt)];
    return isDown === true ? [silentReason(name)] : [];
  });

const silentReason = (name: string): Reason => ({
  waitingFor: 'start',
  who: name,
  subject: name,
  because: 'the host is silent: the instances on it are told to leave, and nobody sees them go',
});

/** The reasons of hosts whose maintenance is over, and that are not back yet. */
export const hostsComingBack = (hosts: readonly Host[]): readonly Reason[] =>
  hosts.flatMap(({ name, work }): readonly Reason[] => {
    if (work?.comesBack === undefined) return [];
    const { untilMs, differences } = work.comesBack;
    const about = differences.length === 0 ? {} : { because: differing(differences), help: helpForDiffering };
    return [{ waitingFor: 'start', who: name, subject: name, untilMs, ...about }];
  });

const differing = (differences: readonly string[]): string =>
  `it is not as it was before its drain: ${differences.join(', ')}`;

const helpForDiffering =
  'repair the host, or let the session ignore the difference (POST /v1/maintenance/{session_id}/hosts/{hostname}/ignore)';

/** The fleet without these hosts: nobody asks for capacity for them. */
export const withoutHeldByCloud = (fleet: Fleet): Fleet =>
  holdBack(
    fleet,
    heldByCloud(fleet).map(({ who }) => who),
  );

export const rightReason = ({ name: who }: Pick<Host, 'name'>, right: NonNullable<Fleet['missingRight']>): Reason => ({
  waitingFor: 'right',
  who,
  subject: right.rule,
  because: rightIsMissing(right),
});

/** The first doubt stands for all: its owner sees the next one when it is put right. */
export const doubtReason = (who: string, { owner, projectId, because, help, mark }: HostDoubt): Reason => ({
  waitingFor: 'content',
  who,
  subject: owner === 'project' && projectId !== undefined ? projectId : who,
  ...{ owner, because, help },
  ...(mark?.sinceMs !== undefined && { sinceMs: mark.sinceMs }),
});
