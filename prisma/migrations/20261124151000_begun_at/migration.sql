-- When the start of a session was found to be over. Sessions of before this wait for the start that they were created
-- with, so theirs cannot be moved.
ALTER TABLE "session" ADD COLUMN "begun_at" TIMESTAMPTZ(3);
UPDATE "session" SET "begun_at" = clock_timestamp();
