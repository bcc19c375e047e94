-- Everything that Parley keeps: schema.prisma says what it means. The functions, triggers, generated columns, the sequence
-- and the indexes with a condition cannot be said there.

-- IDs are kept as their source wrote them, each beside a key to compare and look up by. rules/cloud/id.ts makes the
-- same key.
CREATE FUNCTION "id_key"("id" TEXT) RETURNS TEXT LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(replace("id", '-', ''));

CREATE TABLE "session" (
  "id" UUID NOT NULL,
  "workflow" TEXT NOT NULL,
  "initial_state" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "prev_state" TEXT NOT NULL,
  "state_entered_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "maintenance_at" TIMESTAMPTZ(3) NOT NULL,
  "metadata" JSONB NOT NULL,
  "actions" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3),
  "run_id" TEXT,
  "started_at" TIMESTAMPTZ(3),
  "stopping" TEXT,
  "failure" TEXT,
  "continue_request_id" UUID,
  "continue_state" TEXT,
  "continue_requested_at" TIMESTAMPTZ(3),
  "delete_requested_at" TIMESTAMPTZ(3),
  "abort_taken_up_at" TIMESTAMPTZ(3),
  "deleted_at" TIMESTAMPTZ(3),
  "scale_in_rounds" INTEGER DEFAULT 0 NOT NULL,
  "scale_in_round_at" TIMESTAMPTZ(3),
  "event_seq" INTEGER DEFAULT 0 NOT NULL,
  "waiting" JSONB DEFAULT '[]' NOT NULL,
  "max_parallel_hosts" INTEGER,
  "abort_requested_at" TIMESTAMPTZ(3),
  "paused_at" TIMESTAMPTZ(3),
  "rolling" TEXT,
  "workflow_module" TEXT,
  "opening_order" TEXT[] DEFAULT ARRAY[]::text[],
  "scale_in_hosts_left" INTEGER,
  "scale_in_share" DOUBLE PRECISION,
  "max_failed_hosts" INTEGER,
  "failed_hosts" TEXT,
  "windows" JSONB,
  "window_opens_at" TIMESTAMPTZ(3),
  "window_closes_at" TIMESTAMPTZ(3),
  "window_opens_again_at" TIMESTAMPTZ(3),
  "begun_at" TIMESTAMPTZ(3),
  "idempotency_caller" TEXT,
  "idempotency_key" TEXT,
  "request_digest" TEXT,
  "deadline" TIMESTAMPTZ(3),
  "deadline_missed" TEXT,
  "canary" JSONB,
  "canary_ended_at" TIMESTAMPTZ(3),
  "paused_because" TEXT,
  "reply_policy" JSONB,
  "reply_paused_at" TIMESTAMPTZ(3),
  "window_longest_seconds" INTEGER,
  "window_problem" TEXT,
  "host_start_seconds" INTEGER,
  "name" TEXT,
  "eviction" JSONB,
  "wakes_on" TEXT[] DEFAULT ARRAY[]::text[],
  PRIMARY KEY ("id")
);
CREATE INDEX "session_deleted_at_idx" ON "session" ("deleted_at");
CREATE UNIQUE INDEX "session_idempotency_caller_idempotency_key_key" ON "session" ("idempotency_caller", "idempotency_key");
CREATE INDEX "session_wakes_on_idx" ON "session" USING gin ("wakes_on");

CREATE TABLE "session_download" (
  "session_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  "url" TEXT NOT NULL,
  "state" TEXT DEFAULT 'waiting' NOT NULL,
  "bytes" BIGINT DEFAULT 0 NOT NULL,
  "size_bytes" BIGINT,
  "problem" TEXT,
  "sha256" TEXT,
  "updated_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("session_id", "position"),
  FOREIGN KEY ("session_id") REFERENCES "session"("id") ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE "entry_point" (
  "session_id" UUID NOT NULL,
  "state" TEXT NOT NULL,
  "run_id" TEXT NOT NULL,
  "event_id" INTEGER NOT NULL,
  "entered_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "is_set_up" BOOLEAN DEFAULT false NOT NULL,
  PRIMARY KEY ("session_id", "state"),
  FOREIGN KEY ("session_id") REFERENCES "session"("id") ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE "session_host" (
  "id" UUID NOT NULL,
  "session_id" UUID NOT NULL,
  "hostname" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "is_compute" BOOLEAN NOT NULL,
  "phase" TEXT DEFAULT 'waiting' NOT NULL,
  "owned" BOOLEAN DEFAULT true NOT NULL,
  "disabled" BOOLEAN DEFAULT false NOT NULL,
  "disabled_at" TIMESTAMPTZ(3),
  "disabled_before" BOOLEAN,
  "announced_at" TIMESTAMPTZ(3),
  "maintained" BOOLEAN DEFAULT false NOT NULL,
  "opened_at" TIMESTAMPTZ(3),
  "releases" INTEGER DEFAULT 0 NOT NULL,
  "failure" TEXT,
  "run_id" TEXT,
  "details" TEXT DEFAULT '' NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3),
  "enabled_at" TIMESTAMPTZ(3),
  "phase_since" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "enabling_at" TIMESTAMPTZ(3),
  "skip_reason" TEXT,
  "first_at" TIMESTAMPTZ(3),
  "maintained_from" TIMESTAMPTZ(3),
  "findings" JSONB,
  "past_phases" JSONB DEFAULT '[]' NOT NULL,
  "attended_until" TIMESTAMPTZ(3),
  "first_drained_at" TIMESTAMPTZ(3),
  "offered_before" JSONB,
  "refused_because" TEXT,
  "kept_disabled_by" TEXT,
  "ignored_marks" TEXT[] DEFAULT ARRAY[]::text[],
  PRIMARY KEY ("id"),
  FOREIGN KEY ("session_id") REFERENCES "session"("id") ON UPDATE CASCADE ON DELETE CASCADE
);

-- Hosts that were enabled lately are looked up at every decision, among those of all sessions there were.
CREATE INDEX "session_host_enabled_at_idx" ON "session_host" ("enabled_at");

-- A host belongs to one unfinished session at a time.
CREATE UNIQUE INDEX "session_host_owner" ON "session_host" ("hostname")
  WHERE "owned";
CREATE UNIQUE INDEX "session_host_session_id_hostname_key" ON "session_host" ("session_id", "hostname");

CREATE TABLE "session_instance" (
  "id" UUID NOT NULL,
  "session_id" UUID NOT NULL,
  "instance_id" TEXT NOT NULL,
  "instance_name" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "action" TEXT,
  "action_done" BOOLEAN DEFAULT false NOT NULL,
  "project_state" TEXT DEFAULT '' NOT NULL,
  "details" TEXT,
  "held_up_since" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3),
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("session_id") REFERENCES "session"("id") ON UPDATE CASCADE ON DELETE CASCADE
);

-- Which sessions have instances of a project: those are woken when its constraints change.
CREATE INDEX "session_instance_project" ON "session_instance" ("session_id", "id_key"("project_id"));
CREATE INDEX "session_instance_session_id_host_idx" ON "session_instance" ("session_id", "host");
CREATE UNIQUE INDEX "session_instance_session_id_instance_key_key" ON "session_instance" ("session_id", "instance_key");

CREATE TABLE "action_plugin_instance" (
  "id" UUID NOT NULL,
  "session_id" UUID NOT NULL,
  "hostname" TEXT NOT NULL,
  "plugin" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "state" TEXT,
  "status" TEXT DEFAULT 'running' NOT NULL,
  "attempts" INTEGER DEFAULT 0 NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("id"),
  FOREIGN KEY ("session_id") REFERENCES "session"("id") ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX "action_plugin_instance_session_id_hostname_position_key" ON "action_plugin_instance" ("session_id", "hostname", "position");

CREATE TABLE "question" (
  "id" UUID NOT NULL,
  "session_id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "instance_id" TEXT,
  "hostname" TEXT,
  "state" TEXT NOT NULL,
  "instance_ids" JSONB NOT NULL,
  "allowed_actions" JSONB NOT NULL,
  "window_seconds" INTEGER NOT NULL,
  "status" TEXT DEFAULT 'open' NOT NULL,
  "message_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "reply_at" TIMESTAMPTZ(3),
  "actions_at" TIMESTAMPTZ(3),
  "asked_at" TIMESTAMPTZ(3),
  "answer" TEXT,
  "instance_actions" JSONB DEFAULT '{}' NOT NULL,
  "answered_at" TIMESTAMPTZ(3),
  "closed_at" TIMESTAMPTZ(3),
  "claim_id" UUID,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED,
  "cannot_move" JSONB,
  "opens_by" TIMESTAMPTZ(3),
  PRIMARY KEY ("id"),
  FOREIGN KEY ("session_id") REFERENCES "session"("id") ON UPDATE CASCADE ON DELETE CASCADE
);

-- The questions about a host that are not over.
CREATE INDEX "question_about_host" ON "question" ("session_id", "hostname")
  WHERE "claim_id" IS NULL AND "closed_at" IS NULL;
CREATE INDEX "question_claim_id_idx" ON "question" ("claim_id");

-- A look at a session, which may come every second, reads few of its questions.
CREATE INDEX "question_looked_at" ON "question" ("session_id")
  WHERE "status" = 'open' OR "answer" = 'NACK' OR ("instance_id" IS NULL AND "hostname" IS NULL);
CREATE UNIQUE INDEX "question_message_id_key" ON "question" ("message_id");

-- One open question per session and instance.
CREATE UNIQUE INDEX "question_open_instance" ON "question" ("session_id", "instance_key")
  WHERE "status" = 'open' AND "instance_id" IS NOT NULL;

-- One open project-wide question per session and project.
CREATE UNIQUE INDEX "question_open_project" ON "question" ("session_id", "project_key")
  WHERE "status" = 'open' AND "instance_id" IS NULL;

-- Questions that wait for their project's own webhook: few at any time.
CREATE INDEX "question_opens_by" ON "question" ("opens_by")
  WHERE "asked_at" IS NULL AND "opens_by" IS NOT NULL;
CREATE INDEX "question_session_id_project_key_instance_key_idx" ON "question" ("session_id", "project_key", "instance_key");

CREATE TABLE "claim" (
  "id" UUID NOT NULL,
  "session_id" UUID NOT NULL,
  "instance_id" TEXT NOT NULL,
  "instance_name" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "group_key" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "target" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "phase" TEXT NOT NULL,
  "recovery_time" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "started_at" TIMESTAMPTZ(3),
  "forced_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "recovers_at" TIMESTAMPTZ(3),
  "outcome" TEXT,
  "failure" TEXT,
  "asked_at" TIMESTAMPTZ(3),
  "constraints_at" TIMESTAMPTZ(3),
  "further_limit_keys" TEXT[] DEFAULT ARRAY[]::text[] NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  "limit_seconds" INTEGER,
  "limit_by_project" BOOLEAN DEFAULT false NOT NULL,
  "amounts" JSONB NOT NULL,
  PRIMARY KEY ("id")
);

-- The claims on a host that is being drained.
CREATE INDEX "claim_active_on" ON "claim" ("session_id", "source")
  WHERE "phase" IN ('asked', 'moving');

-- Where instances went, or that they are gone, since a cloud was listed: read at every admission, of all outcomes.
CREATE INDEX "claim_ended_at_idx" ON "claim" ("ended_at");

-- At most one open claim per instance, over all sessions.
CREATE UNIQUE INDEX "claim_open" ON "claim" ("instance_key")
  WHERE "phase" IN ('asked', 'moving', 'recovering');
CREATE INDEX "claim_session_id_phase_idx" ON "claim" ("session_id", "phase");

CREATE TABLE "reservation" (
  "instance_id" TEXT NOT NULL,
  "session_id" UUID NOT NULL,
  "target" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  PRIMARY KEY ("instance_key")
);
CREATE INDEX "reservation_session_id_idx" ON "reservation" ("session_id");

CREATE TABLE "target_refusal" (
  "instance_id" TEXT NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  "target" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "refused_at" TIMESTAMPTZ(3) NOT NULL,
  "passes_at" TIMESTAMPTZ(3),
  "host_there" JSONB NOT NULL,
  "instances_there" TEXT[],
  "refusal_class" TEXT NOT NULL,
  PRIMARY KEY ("instance_key", "target")
);

CREATE TABLE "maintenance_time" (
  "session_id" UUID NOT NULL,
  "hostname" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "plugins" TEXT NOT NULL,
  "actions_digest" TEXT NOT NULL,
  "seconds" DOUBLE PRECISION NOT NULL,
  "ended_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("session_id", "hostname")
);
CREATE INDEX "maintenance_time_hostname_ended_at_idx" ON "maintenance_time" ("hostname", "ended_at");
CREATE INDEX "maintenance_time_plugins_idx" ON "maintenance_time" ("plugins");

CREATE TABLE "move_time" (
  "claim_id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "action" TEXT NOT NULL,
  "seconds" DOUBLE PRECISION NOT NULL,
  "ended_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("claim_id")
);
CREATE INDEX "move_time_project_key_action_ended_at_idx" ON "move_time" ("project_key", "action", "ended_at");

CREATE TABLE "answer_time" (
  "question_id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "state" TEXT NOT NULL,
  "seconds" DOUBLE PRECISION,
  "ended_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("question_id")
);
CREATE INDEX "answer_time_project_key_state_ended_at_idx" ON "answer_time" ("project_key", "state", "ended_at");

CREATE TABLE "event" (
  "id" BIGSERIAL NOT NULL,
  "session_id" UUID NOT NULL,
  "seq" INTEGER NOT NULL,
  "event_type" TEXT NOT NULL,
  "message_id" UUID NOT NULL,
  "project_id" TEXT,
  "payload" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "position" BIGINT,
  "published_at" TIMESTAMPTZ(3),
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED,
  "bus_refusal" TEXT,
  PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "event_message_id_key" ON "event" ("message_id");
CREATE UNIQUE INDEX "event_position_key" ON "event" ("position");
CREATE INDEX "event_project_key_position_idx" ON "event" ("project_key", "position");
CREATE INDEX "event_published_at_idx" ON "event" ("published_at");
CREATE UNIQUE INDEX "event_session_id_seq_key" ON "event" ("session_id", "seq");

-- What is left to publish. Published events are many, and only read by their place.
CREATE INDEX "event_unpublished" ON "event" ("session_id", "seq")
  WHERE "published_at" IS NULL;

CREATE TABLE "event_lease" (
  "session_id" UUID NOT NULL,
  "holder" UUID NOT NULL,
  "held_until" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("session_id")
);

CREATE TABLE "webhook" (
  "id" UUID NOT NULL,
  "url" TEXT NOT NULL,
  "event_types" TEXT[],
  "project_id" TEXT,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED,
  "form" TEXT NOT NULL,
  "enabled" BOOLEAN DEFAULT true NOT NULL,
  "off_because" TEXT,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3),
  "slow_until" TIMESTAMPTZ(3),
  "last_delivered_at" TIMESTAMPTZ(3),
  "last_failed_at" TIMESTAMPTZ(3),
  "last_error" TEXT,
  "given_up" INTEGER DEFAULT 0 NOT NULL,
  "last_given_up_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("id")
);

CREATE TABLE "webhook_secret" (
  "id" UUID NOT NULL,
  "webhook_id" UUID NOT NULL,
  "secret" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "ends_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("id")
);
CREATE INDEX "webhook_secret_webhook_id_idx" ON "webhook_secret" ("webhook_id");

CREATE TABLE "webhook_delivery" (
  "id" BIGSERIAL NOT NULL,
  "webhook_id" UUID NOT NULL,
  "event_id" BIGINT NOT NULL,
  "session_id" UUID NOT NULL,
  "seq" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "attempts" INTEGER DEFAULT 0 NOT NULL,
  "next_attempt_at" TIMESTAMPTZ(3),
  "last_error" TEXT,
  "given_up_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("id"),
  FOREIGN KEY ("event_id") REFERENCES "event"("id") ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX "webhook_delivery_event_id_idx" ON "webhook_delivery" ("event_id");

-- Deliveries that were given up stay, to be replayed; looks at what is pending pass over them.
CREATE INDEX "webhook_delivery_pending" ON "webhook_delivery" ("webhook_id")
  WHERE "given_up_at" IS NULL;
CREATE INDEX "webhook_delivery_session_id_idx" ON "webhook_delivery" ("session_id");
CREATE UNIQUE INDEX "webhook_delivery_webhook_id_session_id_seq_key" ON "webhook_delivery" ("webhook_id", "session_id", "seq");

CREATE TABLE "instance_constraint" (
  "instance_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "group_id" TEXT NOT NULL,
  "instance_name" TEXT NOT NULL,
  "max_interruption_time" INTEGER NOT NULL,
  "migration_type" TEXT NOT NULL,
  "resource_mitigation" BOOLEAN NOT NULL,
  "lead_time" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3),
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "group_key" TEXT GENERATED ALWAYS AS ("id_key"("group_id")) STORED NOT NULL,
  "missing_since" TIMESTAMPTZ(3),
  PRIMARY KEY ("instance_key")
);
CREATE INDEX "instance_constraint_group_key_idx" ON "instance_constraint" ("group_key");

CREATE TABLE "group_constraint" (
  "group_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "group_name" TEXT NOT NULL,
  "anti_affinity_group" BOOLEAN NOT NULL,
  "max_instances_per_host" INTEGER NOT NULL,
  "max_impacted_members" INTEGER NOT NULL,
  "recovery_time" INTEGER NOT NULL,
  "resource_mitigation" BOOLEAN NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3),
  "group_key" TEXT GENERATED ALWAYS AS ("id_key"("group_id")) STORED NOT NULL,
  "missing_since" TIMESTAMPTZ(3),
  PRIMARY KEY ("group_key")
);

CREATE TABLE "constraint_change" (
  "id" BIGSERIAL NOT NULL,
  "xid" BIGINT NOT NULL,
  "changed_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "instance_key" TEXT,
  "project_key" TEXT NOT NULL,
  "group_key" TEXT NOT NULL,
  PRIMARY KEY ("id")
);
CREATE INDEX "constraint_change_changed_at_idx" ON "constraint_change" ("changed_at");
CREATE INDEX "constraint_change_xid_idx" ON "constraint_change" ("xid");

CREATE TABLE "sim_host" (
  "name" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "is_compute" BOOLEAN NOT NULL,
  "vcpus" INTEGER NOT NULL,
  "memory_mb" INTEGER NOT NULL,
  "maintain" BOOLEAN DEFAULT true NOT NULL,
  "maintenance_s" DOUBLE PRECISION DEFAULT 0 NOT NULL,
  "disabled" BOOLEAN DEFAULT false NOT NULL,
  "disabled_reason" TEXT,
  "disable_failures" INTEGER DEFAULT 0 NOT NULL,
  "is_down" BOOLEAN DEFAULT false NOT NULL,
  "is_silent" BOOLEAN DEFAULT false NOT NULL,
  "amounts" JSONB DEFAULT '{}' NOT NULL,
  "labels" TEXT[] DEFAULT '{}' NOT NULL,
  "lacking" TEXT[] DEFAULT ARRAY[]::text[],
  "keeps_away" TEXT[] DEFAULT ARRAY[]::text[],
  PRIMARY KEY ("name")
);

CREATE TABLE "sim_instance" (
  "instance_id" TEXT NOT NULL,
  "instance_name" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "group_id" TEXT,
  "flavor" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "vcpus" INTEGER NOT NULL,
  "memory_mb" INTEGER NOT NULL,
  "state" TEXT DEFAULT 'ACTIVE' NOT NULL,
  "move_s" DOUBLE PRECISION DEFAULT 0 NOT NULL,
  "fail_moves" INTEGER DEFAULT 0 NOT NULL,
  "acts_itself" BOOLEAN DEFAULT true NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "group_key" TEXT GENERATED ALWAYS AS ("id_key"("group_id")) STORED,
  "refused_by" TEXT[] DEFAULT ARRAY[]::text[] NOT NULL,
  "hidden_from" TEXT[] DEFAULT ARRAY[]::text[],
  "way_back_on" TEXT,
  "amounts" JSONB DEFAULT '{}' NOT NULL,
  "needs" TEXT[] DEFAULT '{}' NOT NULL,
  PRIMARY KEY ("instance_key")
);

-- The simulated cloud counts the members of a group on a host for each move that it begins.
CREATE INDEX "sim_instance_group_key_idx" ON "sim_instance" ("group_key");
CREATE INDEX "sim_instance_host_idx" ON "sim_instance" ("host");

CREATE TABLE "sim_group" (
  "group_id" TEXT NOT NULL,
  "anti_affinity" BOOLEAN NOT NULL,
  "max_instances_per_host" INTEGER NOT NULL,
  "name" TEXT,
  "affinity" BOOLEAN DEFAULT false NOT NULL,
  "group_key" TEXT GENERATED ALWAYS AS ("id_key"("group_id")) STORED NOT NULL,
  PRIMARY KEY ("group_key")
);

CREATE TABLE "sim_move" (
  "id" UUID NOT NULL,
  "claim_id" UUID NOT NULL,
  "instance_id" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "target" TEXT NOT NULL,
  "forced" BOOLEAN DEFAULT false NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  "status" TEXT DEFAULT 'running' NOT NULL,
  "will_fail" BOOLEAN DEFAULT false NOT NULL,
  "failure" TEXT,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "sim_move_claim_id_forced_key" ON "sim_move" ("claim_id", "forced");

-- One move of an instance at a time.
CREATE UNIQUE INDEX "sim_move_running" ON "sim_move" ("instance_key")
  WHERE "status" = 'running';
CREATE INDEX "sim_move_status_idx" ON "sim_move" ("status");

CREATE TABLE "openstack_move" (
  "id" UUID NOT NULL,
  "claim_id" UUID NOT NULL,
  "forced" BOOLEAN DEFAULT false NOT NULL,
  "instance_id" TEXT NOT NULL,
  "instance_name" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "target" TEXT,
  "status" TEXT NOT NULL,
  "posting_until" TIMESTAMPTZ(3),
  "nova_time" TIMESTAMPTZ(3) NOT NULL,
  "request_id" TEXT,
  "landed_on" TEXT,
  "failure" TEXT,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  "blocked" BOOLEAN DEFAULT false NOT NULL,
  "queued" BOOLEAN DEFAULT false NOT NULL,
  "ran_at" TIMESTAMPTZ(3),
  "least_left" BIGINT,
  "progress_at" TIMESTAMPTZ(3),
  "left_over_at" TIMESTAMPTZ(3),
  "known_requests" TEXT[] DEFAULT ARRAY[]::text[] NOT NULL,
  "over_since" TIMESTAMPTZ(3),
  "rolled_back" BOOLEAN DEFAULT false NOT NULL,
  "may_have_left" BOOLEAN DEFAULT false NOT NULL,
  "inconclusive" BOOLEAN DEFAULT false NOT NULL,
  "again" BOOLEAN DEFAULT false NOT NULL,
  PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "openstack_move_claim_id_forced_key" ON "openstack_move" ("claim_id", "forced");

-- One move of an instance at a time.
CREATE UNIQUE INDEX "openstack_move_open" ON "openstack_move" ("instance_key")
  WHERE "status" IN ('posting', 'running');
CREATE UNIQUE INDEX "openstack_move_request_id_key" ON "openstack_move" ("request_id");
CREATE INDEX "openstack_move_target_created_at_idx" ON "openstack_move" ("target", "created_at");

CREATE TABLE "kubernetes_move" (
  "id" UUID NOT NULL,
  "claim_id" UUID NOT NULL,
  "forced" BOOLEAN DEFAULT false NOT NULL,
  "instance_id" TEXT NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  "pod_name" TEXT NOT NULL,
  "namespace" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "next_try_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "refusal" TEXT,
  "refused_since" TIMESTAMPTZ(3),
  "failure" TEXT,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "kubernetes_move_claim_id_forced_key" ON "kubernetes_move" ("claim_id", "forced");

-- One move of a pod at a time.
CREATE UNIQUE INDEX "kubernetes_move_open" ON "kubernetes_move" ("instance_key")
  WHERE "status" IN ('trying', 'leaving');

CREATE TABLE "openstack_immovable" (
  "instance_id" TEXT NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  "reason" TEXT NOT NULL,
  "told_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  PRIMARY KEY ("instance_key")
);

CREATE TABLE "audit_entry" (
  "id" BIGSERIAL NOT NULL,
  "begun_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "request_id" UUID NOT NULL,
  "role" TEXT NOT NULL,
  "caller" TEXT,
  "project_id" TEXT,
  "address" TEXT,
  "method" TEXT NOT NULL,
  "route" TEXT,
  "path" TEXT NOT NULL,
  "session_id" UUID,
  "body_sha256" TEXT,
  "status" INTEGER,
  "ended_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("id")
);
CREATE INDEX "audit_entry_begun_at_idx" ON "audit_entry" ("begun_at");
CREATE INDEX "audit_entry_caller_id_idx" ON "audit_entry" ("caller", "id");
CREATE INDEX "audit_entry_session_id_id_idx" ON "audit_entry" ("session_id", "id");

CREATE TABLE "worker_sign" (
  "identity" TEXT NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("identity")
);

-- Places in the event stream, taken under an advisory lock: events become visible in the order of their places.
CREATE SEQUENCE "event_position";

-- An entry gets its result once. It is deleted only when it is older than the days that the transaction names.
CREATE FUNCTION "audit_entry_guard"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD."status" IS NULL
      AND (NEW."id", NEW."begun_at", NEW."request_id", NEW."role", NEW."caller", NEW."project_id", NEW."address",
           NEW."method", NEW."route", NEW."path")
        IS NOT DISTINCT FROM
          (OLD."id", OLD."begun_at", OLD."request_id", OLD."role", OLD."caller", OLD."project_id", OLD."address",
           OLD."method", OLD."route", OLD."path")
      AND (OLD."session_id" IS NULL OR NEW."session_id" IS NOT DISTINCT FROM OLD."session_id")
    THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF OLD."begun_at" < clock_timestamp() - make_interval(days => NULLIF(current_setting('parley.audit_days', true), '')::int)
    THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit is append-only: % refused', TG_OP
    USING HINT = 'entries are removed by the service alone, once they are older than PARLEY_AUDIT_DAYS';
END
$$;
CREATE TRIGGER "audit_entry_rows" BEFORE DELETE OR UPDATE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "audit_entry_guard"();
CREATE TRIGGER "audit_entry_truncate" BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_entry_guard"();

-- Here, so that no statement that writes a phase can forget it. A host that is given back again and again keeps the
-- last hundred of its phases.
CREATE FUNCTION "session_host_keep_phase"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW."past_phases" :=
    (CASE WHEN jsonb_array_length(OLD."past_phases") < 100 THEN OLD."past_phases" ELSE OLD."past_phases" - 0 END)
    || jsonb_build_array(jsonb_build_object('phase', OLD."phase", 'since', OLD."phase_since"));
  RETURN NEW;
END
$$;
CREATE TRIGGER "session_host_phase" BEFORE UPDATE OF "phase" ON "session_host"
  FOR EACH ROW WHEN (OLD."phase" IS DISTINCT FROM NEW."phase") EXECUTE FUNCTION "session_host_keep_phase"();

-- Changes of constraints are noted by triggers, so that no writer can forget them: with what a row was and what it is.
CREATE FUNCTION "instance_constraint_changed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "constraint_change" ("xid", "instance_key", "project_key", "group_key")
  SELECT pg_current_xact_id()::text::bigint, "instance_key", "project_key", "group_key" FROM "changed";
  RETURN NULL;
END
$$;
CREATE TRIGGER "instance_constraint_deleted" AFTER DELETE ON "instance_constraint"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "instance_constraint_changed"();
CREATE TRIGGER "instance_constraint_inserted" AFTER INSERT ON "instance_constraint"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "instance_constraint_changed"();

CREATE FUNCTION "instance_constraint_updated"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "constraint_change" ("xid", "instance_key", "project_key", "group_key")
  SELECT pg_current_xact_id()::text::bigint, was."instance_key", side."project_key", side."group_key"
  FROM "was" JOIN "changed" ON "changed"."instance_key" = was."instance_key",
    LATERAL (VALUES (was."project_key", was."group_key"), ("changed"."project_key", "changed"."group_key"))
      AS side("project_key", "group_key")
  WHERE to_jsonb(was) - 'missing_since' IS DISTINCT FROM to_jsonb("changed") - 'missing_since';
  RETURN NULL;
END
$$;
CREATE TRIGGER "instance_constraint_updated" AFTER UPDATE ON "instance_constraint"
  REFERENCING OLD TABLE AS "was" NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "instance_constraint_updated"();

CREATE FUNCTION "group_constraint_changed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "constraint_change" ("xid", "project_key", "group_key")
  SELECT pg_current_xact_id()::text::bigint, "id_key"("project_id"), "group_key" FROM "changed";
  RETURN NULL;
END
$$;
CREATE TRIGGER "group_constraint_deleted" AFTER DELETE ON "group_constraint"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "group_constraint_changed"();
CREATE TRIGGER "group_constraint_inserted" AFTER INSERT ON "group_constraint"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "group_constraint_changed"();

CREATE FUNCTION "group_constraint_updated"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "constraint_change" ("xid", "project_key", "group_key")
  SELECT pg_current_xact_id()::text::bigint, "id_key"(side."project_id"), was."group_key"
  FROM "was" JOIN "changed" ON "changed"."group_key" = was."group_key",
    LATERAL (VALUES (was."project_id"), ("changed"."project_id")) AS side("project_id")
  WHERE to_jsonb(was) - 'missing_since' IS DISTINCT FROM to_jsonb("changed") - 'missing_since';
  RETURN NULL;
END
$$;
CREATE TRIGGER "group_constraint_updated" AFTER UPDATE ON "group_constraint"
  REFERENCING OLD TABLE AS "was" NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "group_constraint_updated"();
