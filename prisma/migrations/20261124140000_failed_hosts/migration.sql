-- How many hosts may fail before the session does, and whether failed hosts go back to use.
ALTER TABLE "session" ADD COLUMN "max_failed_hosts" INTEGER;
ALTER TABLE "session" ADD COLUMN "failed_hosts" TEXT;
