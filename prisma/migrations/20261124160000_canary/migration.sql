-- Hosts that are maintained first and alone, when they were done, and why a session has paused itself.
ALTER TABLE "session" ADD COLUMN "canary" JSONB;
ALTER TABLE "session" ADD COLUMN "canary_ended_at" TIMESTAMPTZ(3);
ALTER TABLE "session" ADD COLUMN "paused_because" TEXT;
