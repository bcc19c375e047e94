-- Labels of hosts in the simulated cloud, such as their zone.
ALTER TABLE "sim_host" ADD COLUMN "properties" JSONB NOT NULL DEFAULT '{}';
