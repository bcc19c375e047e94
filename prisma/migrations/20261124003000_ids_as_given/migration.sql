-- IDs of instances, projects and groups are kept as their source wrote them, each beside a key to compare and look up
-- by: planning/fleet/id.ts makes the same one. IDs from before are kept in the form that PostgreSQL writes UUIDs in.
CREATE FUNCTION "id_key"("id" TEXT) RETURNS TEXT LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(replace("id", '-', ''));

-- session_instance
DROP INDEX "session_instance_session_id_instance_id_key";
ALTER TABLE "session_instance"
  ALTER COLUMN "instance_id" TYPE TEXT,
  ALTER COLUMN "project_id" TYPE TEXT;
ALTER TABLE "session_instance"
  ADD COLUMN "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED;
CREATE UNIQUE INDEX "session_instance_session_id_instance_key_key" ON "session_instance"("session_id", "instance_key");

-- question
DROP INDEX "question_session_id_project_id_instance_id_idx";
DROP INDEX "question_open_project";
DROP INDEX "question_open_instance";
ALTER TABLE "question"
  ALTER COLUMN "project_id" TYPE TEXT,
  ALTER COLUMN "instance_id" TYPE TEXT;
ALTER TABLE "question"
  ADD COLUMN "project_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("project_id")) STORED,
  ADD COLUMN "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED;
CREATE INDEX "question_session_id_project_key_instance_key_idx" ON "question"("session_id", "project_key", "instance_key");
CREATE UNIQUE INDEX "question_open_project" ON "question"("session_id", "project_key") WHERE "status" = 'open' AND "instance_id" IS NULL;
CREATE UNIQUE INDEX "question_open_instance" ON "question"("session_id", "instance_key") WHERE "status" = 'open' AND "instance_id" IS NOT NULL;

-- claim: the key of a group is the key of its ID, or that of its project with the flavor of its members
DROP INDEX "claim_open";
ALTER TABLE "claim"
  ALTER COLUMN "instance_id" TYPE TEXT,
  ALTER COLUMN "project_id" TYPE TEXT;
ALTER TABLE "claim"
  ADD COLUMN "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED;
CREATE UNIQUE INDEX "claim_open" ON "claim"("instance_key") WHERE "phase" IN ('asked', 'moving', 'recovering');
UPDATE "claim" SET
  "group_key" = "id_key"(substring("group_key" FROM '^[^/]*')) || substring("group_key" FROM '^[^/]*(.*)$'),
  "further_limit_keys" = ARRAY(
    SELECT substring("limit_key" FROM '^server-group/|^') || "id_key"(regexp_replace("limit_key", '^server-group/', ''))
    FROM unnest("further_limit_keys") WITH ORDINALITY AS "further"("limit_key", "place") ORDER BY "place");

-- reservation
ALTER TABLE "reservation" DROP CONSTRAINT "reservation_pkey";
ALTER TABLE "reservation" ALTER COLUMN "instance_id" TYPE TEXT;
ALTER TABLE "reservation"
  ADD COLUMN "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED,
  ADD CONSTRAINT "reservation_pkey" PRIMARY KEY ("instance_key");

-- event
ALTER TABLE "event" ALTER COLUMN "project_id" TYPE TEXT;
ALTER TABLE "event" ADD COLUMN "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED;

-- constraints
DROP INDEX "instance_constraint_group_id_idx";
ALTER TABLE "instance_constraint" DROP CONSTRAINT "instance_constraint_pkey";
ALTER TABLE "instance_constraint"
  ALTER COLUMN "instance_id" TYPE TEXT,
  ALTER COLUMN "project_id" TYPE TEXT,
  ALTER COLUMN "group_id" TYPE TEXT;
ALTER TABLE "instance_constraint"
  ADD COLUMN "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED,
  ADD COLUMN "project_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("project_id")) STORED,
  ADD COLUMN "group_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("group_id")) STORED,
  ADD CONSTRAINT "instance_constraint_pkey" PRIMARY KEY ("instance_key");
CREATE INDEX "instance_constraint_group_key_idx" ON "instance_constraint"("group_key");

ALTER TABLE "group_constraint" DROP CONSTRAINT "group_constraint_pkey";
ALTER TABLE "group_constraint"
  ALTER COLUMN "group_id" TYPE TEXT,
  ALTER COLUMN "project_id" TYPE TEXT;
ALTER TABLE "group_constraint"
  ADD COLUMN "group_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("group_id")) STORED,
  ADD CONSTRAINT "group_constraint_pkey" PRIMARY KEY ("group_key");

-- the simulated cloud
ALTER TABLE "sim_instance" DROP CONSTRAINT "sim_instance_pkey";
ALTER TABLE "sim_instance"
  ALTER COLUMN "instance_id" TYPE TEXT,
  ALTER COLUMN "project_id" TYPE TEXT,
  ALTER COLUMN "group_id" TYPE TEXT;
ALTER TABLE "sim_instance"
  ADD COLUMN "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED,
  ADD COLUMN "project_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("project_id")) STORED,
  ADD COLUMN "group_key" TEXT GENERATED ALWAYS AS ("id_key"("group_id")) STORED,
  ADD CONSTRAINT "sim_instance_pkey" PRIMARY KEY ("instance_key");

ALTER TABLE "sim_group" DROP CONSTRAINT "sim_group_pkey";
ALTER TABLE "sim_group" ALTER COLUMN "group_id" TYPE TEXT;
ALTER TABLE "sim_group"
  ADD COLUMN "group_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("group_id")) STORED,
  ADD CONSTRAINT "sim_group_pkey" PRIMARY KEY ("group_key");

DROP INDEX "sim_move_running";
ALTER TABLE "sim_move" ALTER COLUMN "instance_id" TYPE TEXT;
ALTER TABLE "sim_move"
  ADD COLUMN "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED;
CREATE UNIQUE INDEX "sim_move_running" ON "sim_move"("instance_key") WHERE "status" = 'running';

-- the openstack cloud
DROP INDEX "openstack_move_open";
ALTER TABLE "openstack_move" ALTER COLUMN "instance_id" TYPE TEXT;
ALTER TABLE "openstack_move"
  ADD COLUMN "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED;
CREATE UNIQUE INDEX "openstack_move_open" ON "openstack_move"("instance_key") WHERE "status" IN ('posting', 'running');
