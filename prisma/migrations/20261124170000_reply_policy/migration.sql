-- What follows from silence and from the last refusal, and when a session paused itself for one of them last.
ALTER TABLE "session" ADD COLUMN "reply_policy" JSONB;
ALTER TABLE "session" ADD COLUMN "reply_paused_at" TIMESTAMPTZ(3);
