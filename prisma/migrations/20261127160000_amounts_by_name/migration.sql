-- What an instance takes of each resource, by the cloud's own names, in the place of two fixed columns.
ALTER TABLE claim ADD COLUMN amounts jsonb;
UPDATE claim SET amounts = jsonb_build_object('VCPU', vcpus, 'MEMORY_MB', memory_mb);
ALTER TABLE claim ALTER COLUMN amounts SET NOT NULL, DROP COLUMN vcpus, DROP COLUMN memory_mb;

-- A refusal holds for all instances of a class. Old ones do not tell theirs: these hosts are tried again.
DELETE FROM target_refusal;
ALTER TABLE target_refusal ADD COLUMN refusal_class text NOT NULL;

-- Further resources of the simulated cloud by name, and the labels that say what fits where.
ALTER TABLE sim_host
  ADD COLUMN amounts jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN labels text[] NOT NULL DEFAULT '{}';
ALTER TABLE sim_instance
  ADD COLUMN amounts jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN needs text[] NOT NULL DEFAULT '{}';
