-- Marks of others on a host that an admin has its session ignore.
ALTER TABLE "session_host" ADD COLUMN "ignored_marks" TEXT[] DEFAULT ARRAY[]::TEXT[];
