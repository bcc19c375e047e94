-- How long maintenances, moves and answers took: expected of the next ones, so kept beyond their sessions.
CREATE TABLE "maintenance_time" (
    "session_id" UUID NOT NULL,
    "hostname" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "plugins" TEXT NOT NULL,
    "actions_digest" TEXT NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "maintenance_time_pkey" PRIMARY KEY ("session_id", "hostname")
);
CREATE INDEX "maintenance_time_hostname_ended_at_idx" ON "maintenance_time"("hostname", "ended_at");
CREATE INDEX "maintenance_time_plugins_idx" ON "maintenance_time"("plugins");

CREATE TABLE "move_time" (
    "claim_id" UUID NOT NULL,
    "project_id" TEXT NOT NULL,
    "project_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("project_id")) STORED,
    "action" TEXT NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "move_time_pkey" PRIMARY KEY ("claim_id")
);
CREATE INDEX "move_time_project_key_action_ended_at_idx" ON "move_time"("project_key", "action", "ended_at");

CREATE TABLE "answer_time" (
    "question_id" UUID NOT NULL,
    "project_id" TEXT NOT NULL,
    "project_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("project_id")) STORED,
    "state" TEXT NOT NULL,
    "seconds" DOUBLE PRECISION,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "answer_time_pkey" PRIMARY KEY ("question_id")
);
CREATE INDEX "answer_time_project_key_state_ended_at_idx" ON "answer_time"("project_key", "state", "ended_at");
