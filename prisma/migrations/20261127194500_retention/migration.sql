-- AlterTable
ALTER TABLE "instance_constraint" ADD COLUMN "missing_since" TIMESTAMPTZ(3);
ALTER TABLE "group_constraint" ADD COLUMN "missing_since" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "session_deleted_at_idx" ON "session"("deleted_at");
CREATE INDEX "event_project_key_position_idx" ON "event"("project_key", "position");
CREATE INDEX "event_published_at_idx" ON "event"("published_at");
