-- What projects were told last about their instances in sessions (rules/coming/worth-telling.ts).
CREATE TABLE "told_coming" (
  "id" UUID DEFAULT gen_random_uuid() NOT NULL,
  "session_id" UUID NOT NULL,
  "instance_id" TEXT NOT NULL,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED NOT NULL,
  "instance_name" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "status" TEXT NOT NULL,
  "impact" TEXT,
  "starts_at" TIMESTAMPTZ(3) NOT NULL,
  "latest_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "sequence" INTEGER DEFAULT 0 NOT NULL,
  "revision" BIGSERIAL NOT NULL,
  "acknowledged_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  PRIMARY KEY ("session_id", "instance_key"),
  CONSTRAINT "told_coming_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "told_coming_id_key" ON "told_coming" ("id");
CREATE INDEX "told_coming_project_key_idx" ON "told_coming" ("project_key");
-- The process that tells what is coming, and until when.
CREATE TABLE "coming_turn" (
  "id" INTEGER DEFAULT 1 NOT NULL CHECK ("id" = 1),
  "holder" UUID NOT NULL,
  "held_until" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("id")
);
-- Secret addresses, under which somebody without a token sees what is coming for a project.
CREATE TABLE "secret_address" (
  "sha256" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "instance_id" TEXT,
  "instance_key" TEXT GENERATED ALWAYS AS ("id_key"("instance_id")) STORED,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  PRIMARY KEY ("sha256")
);
CREATE INDEX "secret_address_project_key_kind_idx" ON "secret_address" ("project_key", "kind");
