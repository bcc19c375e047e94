-- Why a host is left out of its session, and when an admin asked for it to be drained before others.
ALTER TABLE "session_host" ADD COLUMN "skip_reason" TEXT;
ALTER TABLE "session_host" ADD COLUMN "first_at" TIMESTAMPTZ(3);
