/**
 * The rights that the service needs in OpenStack, by the rules of its policies. docs/openstack.md shows this table, and
 * a test compares them; `try-rights.ts` tries each right.
 */

export interface Right {
  readonly rule: string;
  /** Follows "needed to". */
  readonly neededTo: string;
  /** The call that tells whether the right is there. None of them changes anything. */
  readonly triedBy: string;
  /** Limits: what is lost without the right. Left out: no work on a host begins without it. */
  readonly lost?: string;
}

const nova = 'os_compute_api:';

/** Tried by no call: each would change something, or ask a hypervisor. */
export const resetStateRight = `${nova}os-admin-actions:reset_state`;
const noCall = 'no call, since each would change something; the move that needs it tells';

const toSee: readonly Right[] = [
  {
    rule: 'context_is_admin',
    neededTo: 'read a server and the server groups of other projects',
    triedBy: 'a read of a listed server of another project, which Nova does not find without the right',
  },
  {
    rule: `${nova}os-services:list`,
    neededTo: 'list hosts',
    triedBy: 'the list of services',
  },
  {
    rule: `${nova}os-hypervisors:list-detail`,
    neededTo: 'know the sizes of hosts',
    triedBy: 'the list of hypervisors',
  },
  {
    rule: `${nova}os-hypervisors:show`,
    neededTo: 'see which servers a hypervisor holds',
    triedBy: 'a read of a hypervisor that does not exist',
  },
  {
    rule: `${nova}servers:detail`,
    neededTo: 'list servers',
    triedBy: 'the list of servers',
  },
  {
    rule: `${nova}servers:detail:get_all_tenants`,
    neededTo: 'list the servers of all projects',
    triedBy: 'the list of servers',
  },
  {
    rule: `${nova}os-extended-server-attributes`,
    neededTo: 'know on which host a server is',
    triedBy: 'the field OS-EXT-SRV-ATTR:host of listed servers, which Nova leaves out without the right',
  },
  {
    rule: `${nova}servers:show`,
    neededTo: 'follow a server that moves',
    triedBy: 'a read of a listed server',
  },
  {
    rule: `${nova}os-server-groups:index`,
    neededTo: 'keep members of server groups apart',
    triedBy: 'the list of server groups',
  },
  {
    rule: `${nova}os-server-groups:index:all_projects`,
    neededTo: 'keep members of server groups of all projects apart',
    triedBy: 'the list of server groups',
  },
];

const toFollow: readonly Right[] = [
  {
    rule: `${nova}os-migrations:index`,
    neededTo: 'know how a move ended',
    triedBy: 'the list of migrations',
  },
  {
    rule: `${nova}os-migrations:index:all_projects`,
    neededTo: 'know how a move ended',
    triedBy: 'the list of migrations',
  },
  {
    rule: `${nova}os-migrations:index:host`,
    neededTo: 'see which resized servers may come back to a host',
    triedBy: 'the field source_compute of listed migrations, which is null without the right',
  },
  {
    rule: `${nova}os-instance-actions:list`,
    neededTo: 'find a move again whose beginner was killed',
    triedBy: 'the actions of a listed server',
  },
  {
    rule: `${nova}os-instance-actions:show`,
    neededTo: 'know why a move failed',
    triedBy: 'an action of a listed server',
  },
  {
    rule: `${nova}servers:migrations:index`,
    neededTo: 'find the live migration that lasts too long',
    triedBy: 'the migrations of a listed server',
  },
];

const toAct: readonly Right[] = [
  {
    rule: `${nova}os-services:update`,
    neededTo: 'disable and enable hosts',
    triedBy: 'a change of a service that does not exist',
  },
  {
    rule: `${nova}os-migrate-server:migrate_live`,
    neededTo: 'move servers',
    triedBy: 'a live migration of a listed server with force and without a host, which Nova refuses always',
  },
  {
    rule: `${nova}os-migrate-server:migrate`,
    neededTo:
      'move servers cold where the right to choose the host is missing, or where an older Nova has no such right',
    triedBy: `with an older Nova the call for \`…:migrate:host\`; else ${noCall}`,
  },
  {
    rule: `${nova}os-migrate-server:migrate_live:host`,
    neededTo: 'choose the host that a server moves to',
    triedBy: 'a live migration of a listed server to a host that does not exist',
    lost: "the target is left to Nova's scheduler (section 2)",
  },
  {
    rule: `${nova}os-migrate-server:migrate:host`,
    neededTo: 'choose the host that a server moves to cold',
    triedBy: 'a cold migration of a listed server to a host that does not exist',
    lost: "the target is left to Nova's scheduler (section 2)",
  },
  {
    rule: `${nova}servers:confirm_resize`,
    neededTo: 'finish a cold move',
    triedBy: 'a confirmation for a listed server that was just seen not to be resized',
  },
  {
    rule: `${nova}servers:migrations:force_complete`,
    neededTo: 'hasten a live migration',
    triedBy: 'the call for a migration that does not exist',
  },
  {
    rule: `${nova}servers:migrations:delete`,
    neededTo: 'abort a live migration',
    triedBy: 'the call for a migration that does not exist',
  },
];

const forMore: readonly Right[] = [
  {
    rule: resetStateRight,
    neededTo: 'move a server that Nova has set to ERROR although it runs',
    triedBy: noCall,
    lost: 'such a server is not moved by force; the session names it',
  },
  {
    rule: `${nova}os-server-diagnostics`,
    neededTo: 'ask the hypervisor of its source whether a server in ERROR runs there after a live migration',
    triedBy: 'no call, since each would ask a hypervisor; the move that needs it tells',
    lost: 'such a server is left to its owner, also where it never left its source',
  },
  {
    rule: `${nova}servers:allow_all_filters`,
    neededTo: 'ask Nova for the servers of one host only',
    triedBy: 'the list of servers of a host that does not exist, which is not empty without the right',
    lost: 'every look at a host lists the servers of all hosts',
  },
  {
    rule: `${nova}servers:show:flavor-extra-specs`,
    neededTo: 'recognise servers with an accelerator or another device',
    triedBy: 'the field extra_specs of a listed server, which Nova leaves out without the right',
    lost: 'that such a server cannot move is noticed when its move fails',
  },
  {
    rule: `${nova}os-aggregates:index`,
    neededTo: 'know zones and aggregates, and which servers may go there',
    triedBy: 'the list of aggregates',
    lost: 'that a host is of another zone or aggregate is noticed when Nova refuses it to a server',
  },
  {
    rule: `${nova}os-instance-actions:events:details`,
    neededTo: 'tell why a move failed, in the words of Nova',
    triedBy: 'the field details of an event of a listed server, which Nova leaves out without the right',
    lost: 'a failed move is told without its reason',
  },
  {
    rule: 'placement:resource_providers:inventories:list',
    neededTo: 'know how much of each resource of a host Nova may use',
    triedBy: 'the inventories of a host',
    lost: "the hypervisor's own size counts, without what is reserved and overcommitted, and without dedicated processors (PCPU) and other resources",
  },
  {
    rule: 'placement:resource_providers:list',
    neededTo: 'know the devices of a host that have resources of their own, such as VGPU',
    triedBy: 'the list of resource providers',
    lost: 'resources of such devices are not counted',
  },
  {
    rule: 'placement:resource_providers:traits:list',
    neededTo: 'know the traits of a host, which flavors and images require or forbid',
    triedBy: 'the traits of a host',
    lost: 'that a host lacks a trait is noticed when Nova refuses it to a server',
  },
  {
    rule: 'placement:allocation_candidates:list',
    neededTo: 'ask which hosts have room for servers, at each look and before a move',
    triedBy: 'a search for a host with 1 MB of memory',
    lost: 'the numbers that are told count; what they do not show is noticed when Nova refuses the host to a server',
  },
  {
    rule: 'placement:resource_providers:usages',
    neededTo: 'know the free capacity of a host as the scheduler does',
    triedBy: 'the usages of a host',
    lost: "the hypervisor's own numbers count, and no other resource counts as free, unless placement offers the host",
  },
  {
    rule: 'placement:resource_providers:allocations:list',
    neededTo: 'see for whom a host is booked',
    triedBy: 'the allocations of a host',
    lost: 'servers that only placement places on a host are not noticed',
  },
  {
    rule: 'identity:get_project',
    neededTo: 'show the names of projects',
    triedBy: 'a read of the project of a listed server',
    lost: 'projects are shown by their IDs',
  },
];

export const rightsTable: readonly Right[] = [...toSee, ...toFollow, ...toAct, ...forMore];

/** The rules without which Nova leaves these fields out of servers: decisions rest on them. */
export const hostRights = {
  'OS-EXT-SRV-ATTR:host': `${nova}os-extended-server-attributes`,
  'OS-EXT-STS:task_state': `${nova}os-extended-status`,
} as const;
