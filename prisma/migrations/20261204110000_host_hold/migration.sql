-- A person works on the host: the action plug-in hold waits for the release.
ALTER TABLE "session_host" ADD COLUMN "hold" JSONB;
