/**
 * What a cloud tells of itself, in words that no kind of cloud owns: hosts, instances, groups, rights and actions. The
 * drivers (clouds/) make these values, and the rules decide on them.
 */
import type { HostLabels } from '../selectors/labels';
import type { Amounts, Sized } from './amounts';
import type { Departing, WayToLeave } from './departure';
import type { Eviction, EvictionOption, KeepOrDelete } from './eviction';
import type { HostDoubt } from './host-findings';
import type { MoveAction } from './move-action';
import type { Spread } from './spread';
import type { ToldTerms } from './terms';

/** `amounts`: what of each resource instances may take there. */
export interface CloudHost extends Sized {
  readonly name: string;
  readonly type: 'compute' | 'controller';
  /** The labels that the cloud tells of it: `zone` is the zone that it is in, the others are the cloud's own. */
  readonly labels?: HostLabels;
  /** True when the host can hold instances: for computes, and for a controller that is a compute too. */
  readonly isCompute: boolean;
  /**
   * Class of the host: hosts with the same text offer the same, amounts apart. Only its driver reads the text
   * (`CloudLists.whyNot`). Left out: it offers nothing special.
   */
  readonly offers?: string;
  /**
   * The class that it has once what keeps instances away from it for now has passed, such as pressure on its disk. Left
   * out: nothing does that is expected to pass.
   */
  readonly offersOnceItself?: string;
  /**
   * Resources that may come some time after the host is up, such as those of devices, with all that the host has of
   * them. 0: it had some, and has none at present. Left out: it has no such resources.
   */
  readonly devices?: Amounts;
  /** What keeps instances away from the host, each in the cloud's words. Left out: nothing does. */
  readonly keepsAway?: readonly string[];
  /** True when the operator lets the host take new instances. */
  readonly enabled: boolean;
  /** True when the host's service in the cloud answers. While it does not, nothing can move to or from the host. */
  readonly isUp: boolean;
  /** The time since when it is not up, where the cloud tells it: a host that went down lately is soon back. */
  readonly downSince?: Date;
  /** The reason why the host is disabled, in the words of whoever disabled it. */
  readonly disabledReason?: string;
  /**
   * The reason why the cloud cannot tell what is on the host now, in words that follow "since". Left out: it can. Lists
   * of all instances lack some or all of those on this host, so it is not empty when none is listed, and no target;
   * whoever asks about this host or an instance that is lacking gets an error.
   */
  readonly contentUnknown?: string;
  /**
   * The reason why the host seems to be gone for good although the cloud still lists it, in words that follow "since".
   * No new session takes it. Left out: it is there.
   */
  readonly seemsGone?: string;
  /** The time that maintaining the host takes, in real seconds, when the cloud knows it (the simulated one does). */
  readonly maintenanceSeconds?: number;
}

/** A reason that keeps an instance, unless its session says `delete`. */
export interface KeptUnless {
  readonly option: EvictionOption;
  /** What counts where the session says nothing. */
  readonly byDefault: KeepOrDelete;
  /** How it leaves where it is kept. */
  readonly way: WayToLeave;
}

/** `amounts`: what it takes of each resource. */
export interface CloudInstance extends Sized, Departing {
  /** IDs as the cloud writes them. The same ID always has the same form. */
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly host: string;
  /** Instances of a project with the same flavor form a group when no constraints are stored. */
  readonly flavor: string;
  /**
   * Class of the instance: instances with the same text need the same of a host, amounts apart, and what the cloud
   * refuses to one it refuses to all. Only its driver reads the text (`CloudLists.whyNot`). Left out: it needs nothing
   * special.
   */
  readonly needs?: string;
  /** It counts in each of these, and the cloud puts it only where all of them let it. Left out: none. */
  readonly spreads?: readonly Spread[];
  /** The state in the cloud's own words, for example ACTIVE. */
  readonly state: string;
  /**
   * Set where it does not serve, or is about to end whatever a session does: moving it impacts nobody more. Left out:
   * it serves, or the cloud does not tell.
   */
  readonly isUnhealthy?: true;
  /**
   * The reasons that keep it, unless its session says otherwise (seen-in-session.ts). `departure` tells how it leaves
   * in a session that says nothing. Left out: it leaves in the same way in every session.
   */
  readonly keptUnless?: readonly KeptUnless[];
  /**
   * The seconds until it serves elsewhere, by what the cloud has seen of its last start. No limit depends on it. Left
   * out: the cloud has not seen that.
   */
  readonly expectedMoveSeconds?: number;
  /** The time when it was made, in milliseconds, in a cloud that makes instances again. */
  readonly madeAtMs?: number;
  /** Why the cloud may make it again on the same host although that is disabled, in words that follow "since". */
  readonly mayComeBack?: string;
  /** Why its work is lost for good when it is moved, in words that follow "since". Left out: nobody knows of that. */
  readonly endsForGood?: string;
  /** Set where it is made again under its name, with another ID: constraints go over to the next one. */
  readonly keepsName?: true;
  /**
   * Its `lead_time` in seconds where its project stored no constraints, as its project tells the cloud. Left out: it
   * tells none.
   */
  readonly leadTimeSeconds?: number;
  /** Set where its project tells the cloud that it wants to be asked about the instance. */
  readonly wantsQuestions?: true;
  /** Its terms, as its project tells the cloud. Left out: it tells none. */
  readonly terms?: ToldTerms;
}

/** The reason why the cloud does not move a member that it keeps on one host with other members. */
export const togetherReason = (groupName: string, groupId: string): string =>
  `server group ${groupName} (${groupId}) keeps it on one host with its other members (affinity)`;

/**
 * Who keeps the limit of a group.
 * - service: Parley alone. `limit` says which: the one that a project stored or told, else one member at a time
 *   (`told`); that of a unit, in which the impact on one member is one on all, so that they are impacted together
 *   (`unit`); or a share of the members, where nobody told how many (`share`, limits/default-impact.ts).
 * - cloud: the cloud as well, whatever constraints projects store. A limit that a program steers changes as its members
 *   come and go, so what it allows now says nothing of later.
 */
export type LimitKeeper =
  | { readonly kind: 'service'; readonly limit: 'told' | 'unit' | 'share' }
  | { readonly kind: 'cloud'; readonly isSteered: boolean };

/** Limits over the members of a group that the cloud knows, whatever the source. */
export interface CloudLimits {
  /**
   * The number of members that may be impacted at once where their projects stored no constraints. Left out: the cloud
   * does not tell it.
   */
  readonly maxImpactedMembers?: number;
  /** The same for `recovery_time`, in seconds. */
  readonly recoveryTimeSeconds?: number;
  /** Who keeps `maxImpactedMembers`. Left out: Parley, member by member. */
  readonly keptBy?: LimitKeeper;
  /** What is wrong with the limits that its project told the cloud, as a sentence without its full stop. */
  readonly fault?: string;
}

/**
 * A group that the cloud itself knows (a server group). The cloud keeps its members apart, whatever constraints
 * projects store. It is also the default group when no constraints are stored.
 */
export interface CloudGroup extends CloudLimits {
  readonly groupId: string;
  readonly groupName?: string;
  /** What the cloud calls such a group, in words before its name. Left out: a server group. */
  readonly kind?: string;
  readonly projectId: string;
  readonly antiAffinity: boolean;
  /** The number of members with anti-affinity that may share a host. */
  readonly maxInstancesPerHost: number;
  readonly instanceIds: readonly string[];
  /** Its members, also those that are not made again yet. Left out: the cloud does not tell whether they serve. */
  readonly members?: readonly MemberStanding[];
}

/** Says of a member whether it serves. It may have been made again elsewhere, so it has no ID here. */
export type MemberStanding =
  | { readonly kind: 'serves'; readonly sinceMs: number }
  | {
      readonly kind: 'away';
      readonly sinceMs: number;
      /** Set where it has been away for longer than it needs to begin: which one, since when and why, as a sentence. */
      readonly overdue?: string;
      /** Set where the cloud finds no host for it: which one, and the cloud's own words, as a sentence. */
      readonly unplaced?: string;
    };

/** The answer to the question what is on a host. The host is empty when both lists are. */
export interface HostContent {
  /** Instances that the cloud lists there: they can be asked about and moved. */
  readonly instances: readonly CloudInstance[];
  readonly doubts: readonly HostDoubt[];
}

/** A class of instances, and the hosts that should take one of them by all that is listed. */
export interface ExpectedTargets {
  /** See rules/decisions/limits/refusals.ts. */
  readonly refusalClass: string;
  /** Stands for its class, as it was listed. */
  readonly instance: CloudInstance;
  readonly hosts: readonly string[];
}

/** A host on which the cloud has no room for a class of instances, although it should. */
export interface NotOffered extends Pick<ExpectedTargets, 'refusalClass'> {
  readonly target: string;
  /** The reason in the cloud's words. */
  readonly reason: string;
  /** Set while that may pass by itself. */
  readonly passesInSeconds?: number;
}

/** A right in the cloud that the login of the service lacks. */
export interface MissingRight {
  /** The cloud's own name of the right, for example a rule of its policy. */
  readonly rule: string;
  /** What the service needs it for, in words that follow "needed to". */
  readonly neededTo: string;
  /** stops: no work on a host begins without it. limits: the service works without it, with what is `lost`. */
  readonly severity: 'stops' | 'limits';
  /** limits: what is lost without it, as a sentence. */
  readonly lost?: string;
}

/**
 * The actions of a cloud, in the words of the specification. Questions, constraints, the default behaviour and the
 * fallback go by them: nothing outside the driver knows which action suits its cloud.
 */
export interface CloudActions {
  /** Actions that a project may choose in a reply, in the order of `allowed_actions`. OWN_ACTION is one of them. */
  readonly offered: readonly MoveAction[];
  /** Actions that a project may store as `migration_type`: all that are offered, and perhaps more. */
  readonly migrationTypes: readonly MoveAction[];
  /** The default behaviour: the service does this where a project has neither chosen nor stored another action. */
  readonly default: MoveAction;
  /** The action that `forceMove` carries out, where the default action failed or took too long. */
  readonly forced: MoveAction;
  /** Set where sessions may say what becomes of instances that the cloud keeps (eviction.ts). */
  readonly hasEvictionOptions?: true;
}

/** What a look at the whole cloud asks it for. */
export interface CloudLists {
  readonly actions: CloudActions;
  /** True when the caller chooses the target. Otherwise the cloud does, and the reserved target is only a hint. */
  choosesTarget(): Promise<boolean>;
  /**
   * True when the cloud refuses every action that would impact too many members, wherever it puts them. Left out: where
   * it chooses the targets, one member of a group is impacted at a time.
   */
  readonly keepsLimits?: true;
  /**
   * True when a host that is no longer listed was removed on purpose, as by an autoscaler: sessions are done with it.
   * Left out: such a host has failed, and its operator brings it back.
   */
  readonly hostsLeave?: true;
  listHosts(): Promise<CloudHost[]>;
  /**
   * Hosts as they were within the last seconds, which may cost the cloud no request. Good enough to continue a session,
   * not to give it up.
   */
  listHostsLately(): Promise<CloudHost[]>;
  /** Instances of all projects, or only those on one host when it is named. */
  listInstances(host?: string): Promise<CloudInstance[]>;
  listGroups(): Promise<CloudGroup[]>;
  /**
   * Why an instance of this class may not go to a host of that class, amounts apart, in words that follow "it lacks";
   * undefined: it may. The two texts tell all of it.
   */
  whyNot(needs: string, offers: string): string | undefined;
  /**
   * Those of these hosts that the cloud would not offer now to such an instance. May be a minute old. Left out: the
   * cloud knows no more than it lists.
   */
  notOffered?(expected: readonly ExpectedTargets[]): Promise<readonly NotOffered[]>;
  /**
   * The rights that the service's login lacks, found by calls that change nothing. May be some minutes old. Empty when
   * there are all, and for a cloud without rights.
   * @param eviction what a session says that needs further rights; left out: nothing
   */
  missingRights(eviction?: Eviction | null): Promise<readonly MissingRight[]>;
}
