CREATE TABLE "webhook" (
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "event_types" TEXT[],
    "project_id" TEXT,
    "project_key" TEXT GENERATED ALWAYS AS (id_key("project_id")) STORED,
    "form" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "off_because" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "slow_until" TIMESTAMPTZ(3),
    "last_delivered_at" TIMESTAMPTZ(3),
    "last_failed_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "given_up" INTEGER NOT NULL DEFAULT 0,
    "last_given_up_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "webhook_secret" (
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "webhook_delivery" (
    "id" BIGSERIAL NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" BIGINT NOT NULL,
    "session_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "webhook_secret_webhook_id_idx" ON "webhook_secret"("webhook_id");
CREATE UNIQUE INDEX "webhook_delivery_webhook_id_session_id_seq_key" ON "webhook_delivery"("webhook_id", "session_id", "seq");
CREATE INDEX "webhook_delivery_session_id_idx" ON "webhook_delivery"("session_id");
CREATE INDEX "webhook_delivery_event_id_idx" ON "webhook_delivery"("event_id");
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_event_id_fkey"
  FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Questions that wait for their project's own webhook: few at any time.
ALTER TABLE "question" ADD COLUMN "opens_by" TIMESTAMPTZ(3);
CREATE INDEX "question_opens_by" ON "question"("opens_by") WHERE "asked_at" IS NULL AND "opens_by" IS NOT NULL;
