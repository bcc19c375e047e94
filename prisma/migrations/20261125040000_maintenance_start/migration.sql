-- When the last maintenance of a host in a session began, which is shown also once it is over.
ALTER TABLE "session_host" ADD COLUMN "maintained_from" TIMESTAMPTZ(3);
UPDATE "session_host" SET "maintained_from" = "announced_at";
