-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "workflow" TEXT NOT NULL,
    "initial_state" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "prev_state" TEXT NOT NULL,
    "state_entered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "maintenance_at" TIMESTAMPTZ(3) NOT NULL,
    "metadata" JSONB NOT NULL,
    "actions" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "run_id" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "stopping" TEXT,
    "failure" TEXT,
    "resume_request_id" UUID,
    "resume_state" TEXT,
    "resume_requested_at" TIMESTAMPTZ(3),
    "delete_requested_at" TIMESTAMPTZ(3),
    "delete_taken_up_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "scale_in_rounds" INTEGER NOT NULL DEFAULT 0,
    "scale_in_round_at" TIMESTAMPTZ(3),
    "event_seq" INTEGER NOT NULL DEFAULT 0,
    "publisher" UUID,
    "publisher_until" TIMESTAMPTZ(3),
    "waiting" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "entry_point" (
    "session_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "event_id" INTEGER NOT NULL,
    "entered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "entry_point_pkey" PRIMARY KEY ("session_id","state")
);

-- CreateTable
CREATE TABLE "session_host" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "hostname" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "is_compute" BOOLEAN NOT NULL,
    "phase" TEXT NOT NULL DEFAULT 'waiting',
    "owned" BOOLEAN NOT NULL DEFAULT true,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_before" BOOLEAN,
    "announced_at" TIMESTAMPTZ(3),
    "maintained" BOOLEAN NOT NULL DEFAULT false,
    "opened_at" TIMESTAMPTZ(3),
    "releases" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "run_id" TEXT,
    "details" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_host_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_instance" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "instance_name" TEXT NOT NULL,
    "project_id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "action" TEXT,
    "action_done" BOOLEAN NOT NULL DEFAULT false,
    "project_state" TEXT NOT NULL DEFAULT '',
    "details" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "action_plugin_instance" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "hostname" TEXT NOT NULL,
    "plugin" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "state" TEXT,
    "status" TEXT NOT NULL DEFAULT 'running',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "action_plugin_instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "question" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "instance_id" UUID,
    "hostname" TEXT,
    "state" TEXT NOT NULL,
    "instance_ids" JSONB NOT NULL,
    "allowed_actions" JSONB NOT NULL,
    "window_seconds" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "message_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reply_at" TIMESTAMPTZ(3),
    "actions_at" TIMESTAMPTZ(3),
    "asked_at" TIMESTAMPTZ(3),
    "answer" TEXT,
    "instance_actions" JSONB NOT NULL DEFAULT '{}',
    "answered_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "question_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "claim" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "instance_name" TEXT NOT NULL,
    "project_id" UUID NOT NULL,
    "group_key" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "vcpus" INTEGER NOT NULL,
    "memory_mb" INTEGER NOT NULL,
    "phase" TEXT NOT NULL,
    "recovery_time" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "forced_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "recovers_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "failure" TEXT,

    CONSTRAINT "claim_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "session_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "event_type" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "project_id" UUID,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "position" BIGINT,
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance_constraint" (
    "instance_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "instance_name" TEXT NOT NULL,
    "max_interruption_time" INTEGER NOT NULL,
    "migration_type" TEXT NOT NULL,
    "resource_mitigation" BOOLEAN NOT NULL,
    "lead_time" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "instance_constraint_pkey" PRIMARY KEY ("instance_id")
);

-- CreateTable
CREATE TABLE "group_constraint" (
    "group_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "group_name" TEXT NOT NULL,
    "anti_affinity_group" BOOLEAN NOT NULL,
    "max_instances_per_host" INTEGER NOT NULL,
    "max_impacted_members" INTEGER NOT NULL,
    "recovery_time" INTEGER NOT NULL,
    "resource_mitigation" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "group_constraint_pkey" PRIMARY KEY ("group_id")
);

-- CreateTable
CREATE TABLE "sim_host" (
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "is_compute" BOOLEAN NOT NULL,
    "vcpus" INTEGER NOT NULL,
    "memory_mb" INTEGER NOT NULL,
    "maintain" BOOLEAN NOT NULL DEFAULT true,
    "maintenance_s" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "disabled_reason" TEXT,
    "disable_failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sim_host_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "sim_instance" (
    "instance_id" UUID NOT NULL,
    "instance_name" TEXT NOT NULL,
    "project_id" UUID NOT NULL,
    "group_id" UUID,
    "flavor" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "vcpus" INTEGER NOT NULL,
    "memory_mb" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'ACTIVE',
    "move_s" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "fail_moves" INTEGER NOT NULL DEFAULT 0,
    "acts_itself" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "sim_instance_pkey" PRIMARY KEY ("instance_id")
);

-- CreateTable
CREATE TABLE "sim_move" (
    "id" UUID NOT NULL,
    "claim_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "forced" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "status" TEXT NOT NULL DEFAULT 'running',
    "will_fail" BOOLEAN NOT NULL DEFAULT false,
    "failure" TEXT,

    CONSTRAINT "sim_move_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "session_host_session_id_hostname_key" ON "session_host"("session_id", "hostname");

-- CreateIndex
CREATE UNIQUE INDEX "session_instance_session_id_instance_id_key" ON "session_instance"("session_id", "instance_id");

-- CreateIndex
CREATE UNIQUE INDEX "action_plugin_instance_session_id_hostname_position_key" ON "action_plugin_instance"("session_id", "hostname", "position");

-- CreateIndex
CREATE UNIQUE INDEX "question_message_id_key" ON "question"("message_id");

-- CreateIndex
CREATE INDEX "question_session_id_project_id_idx" ON "question"("session_id", "project_id");

-- CreateIndex
CREATE INDEX "claim_session_id_phase_idx" ON "claim"("session_id", "phase");

-- CreateIndex
CREATE INDEX "claim_group_key_idx" ON "claim"("group_key");

-- CreateIndex
CREATE UNIQUE INDEX "event_message_id_key" ON "event"("message_id");

-- CreateIndex
CREATE UNIQUE INDEX "event_position_key" ON "event"("position");

-- CreateIndex
CREATE UNIQUE INDEX "event_session_id_seq_key" ON "event"("session_id", "seq");

-- CreateIndex
CREATE INDEX "instance_constraint_group_id_idx" ON "instance_constraint"("group_id");

-- CreateIndex
CREATE INDEX "sim_instance_host_idx" ON "sim_instance"("host");

-- CreateIndex
CREATE INDEX "sim_move_status_idx" ON "sim_move"("status");

-- CreateIndex
CREATE UNIQUE INDEX "sim_move_claim_id_forced_key" ON "sim_move"("claim_id", "forced");

-- AddForeignKey
ALTER TABLE "entry_point" ADD CONSTRAINT "entry_point_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_host" ADD CONSTRAINT "session_host_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_instance" ADD CONSTRAINT "session_instance_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "action_plugin_instance" ADD CONSTRAINT "action_plugin_instance_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "question" ADD CONSTRAINT "question_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;



-- What Prisma's schema cannot express.

-- A host belongs to one unfinished session at a time.
CREATE UNIQUE INDEX "session_host_owner" ON "session_host"("hostname") WHERE "owned";

-- One open project-wide question per session and project, one open question per session and instance.
CREATE UNIQUE INDEX "question_open_project" ON "question"("session_id", "project_id") WHERE "status" = 'open' AND "instance_id" IS NULL;
CREATE UNIQUE INDEX "question_open_instance" ON "question"("session_id", "instance_id") WHERE "status" = 'open' AND "instance_id" IS NOT NULL;

-- At most one open claim per instance, over all sessions.
CREATE UNIQUE INDEX "claim_open" ON "claim"("instance_id") WHERE "phase" IN ('asked', 'moving', 'recovering');

-- One move of an instance at a time in the simulated cloud.
CREATE UNIQUE INDEX "sim_move_running" ON "sim_move"("instance_id") WHERE "status" = 'running';

-- Places in the event stream; taken under an advisory lock, so that they become visible in their order.
CREATE SEQUENCE "event_position";

-- What is left to publish; published events are many and only read by their place.
CREATE INDEX "event_unpublished" ON "event"("session_id", "seq") WHERE "published_at" IS NULL;

-- Where instances went since a cloud was listed: read at every admission.
CREATE INDEX "claim_landed" ON "claim"("ended_at") WHERE "outcome" = 'done';
