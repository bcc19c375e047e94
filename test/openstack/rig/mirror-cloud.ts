/**
 * Keeps the rows of the simulated cloud, in a test's own database, as Nova's hosts, servers and moves are: so a session
 * on Nova is judged by the checker that judges simulated ones (test/checker).
 */
import type { CloudDriver } from '../../../clouds/cloud-driver';
import type { Database } from '../../../prisma/database';
import type { Amounts } from '../../../rules/cloud/amounts';

const statements = [
  `CREATE FUNCTION mirror_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO sim_move (id, claim_id, instance_id, action, source, target, forced, started_at, ends_at, status)
       VALUES (NEW.id, NEW.claim_id, NEW.instance_id, NEW.action, NEW.source, coalesce(NEW.target, NEW.source), NEW.forced,
               clock_timestamp(), clock_timestamp(), 'running') ON CONFLICT DO NOTHING;
     IF NEW.status = 'done' THEN
       UPDATE sim_move SET status = 'done', target = NEW.landed_on, ended_at = clock_timestamp() WHERE id = NEW.id;
       UPDATE sim_instance SET host = NEW.landed_on WHERE instance_id = NEW.instance_id;
     ELSIF NEW.status IN ('failed', 'refused', 'gone') THEN
       UPDATE sim_move SET status = replace(NEW.status, 'refused', 'failed'), ended_at = clock_timestamp() WHERE id = NEW.id;
     END IF;
     RETURN NULL; END $$`,
  `CREATE TRIGGER mirror AFTER INSERT OR UPDATE ON openstack_move FOR EACH ROW EXECUTE FUNCTION mirror_move()`,
  `CREATE FUNCTION mirror_host() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE sim_host SET disabled = NEW.disabled WHERE name = NEW.hostname AND disabled <> NEW.disabled;
     RETURN NULL; END $$`,
  `CREATE TRIGGER mirror AFTER UPDATE ON session_host FOR EACH ROW EXECUTE FUNCTION mirror_host()`,
] as const;

const sizeIn = ({ VCPU = 0, MEMORY_MB = 0, ...amounts }: Amounts) => ({
  ...{ vcpus: VCPU, memoryMb: MEMORY_MB, amounts: { ...amounts } },
});

/** Begins with the present state of the cloud. */
export const mirrorCloud = async (db: Database, cloud: CloudDriver): Promise<void> => {
  const [hosts, instances, groups] = await Promise.all([cloud.listHosts(), cloud.listInstances(), cloud.listGroups()]);
  await db.simHost.createMany({
    data: hosts.map(({ name, type, isCompute, amounts, enabled }) => ({
      ...{ name, type, isCompute, ...sizeIn(amounts) },
      disabled: !enabled,
      maintenanceS: 0,
    })),
  });
  await db.simGroup.createMany({
    data: groups.map(({ groupId, antiAffinity, maxInstancesPerHost }) => ({
      groupId,
      antiAffinity,
      maxInstancesPerHost,
    })),
  });
  const groupOf = new Map(
    groups.flatMap(({ groupId, instanceIds }) => instanceIds.map((id) => [id, groupId] as const)),
  );
  await db.simInstance.createMany({
    data: instances.map(({ instanceId, instanceName, projectId, host, flavor, state, amounts }) => ({
      ...{ instanceId, instanceName, projectId, host, flavor, state, ...sizeIn(amounts) },
      groupId: groupOf.get(instanceId) ?? null,
      moveS: 0,
    })),
  });
  for (const statement of statements) await db.$executeRawUnsafe(statement);
};
