-- A session that is archived is over for everybody like a deleted one, and keeps its records.
ALTER TABLE "session" ADD COLUMN "archive_requested_at" TIMESTAMPTZ(3);
ALTER TABLE "session" ADD COLUMN "archived_at" TIMESTAMPTZ(3);
