-- How long the longest maintenance window of a session is, and why it cannot be worked out when its windows open.
ALTER TABLE "session" ADD COLUMN "window_longest_seconds" INTEGER;
ALTER TABLE "session" ADD COLUMN "window_problem" TEXT;
