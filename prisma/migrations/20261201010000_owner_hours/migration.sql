-- AlterTable
ALTER TABLE "session" ADD COLUMN     "owner_hours" JSONB;

-- CreateIndex
CREATE INDEX "project_terms_with_times" ON "project_terms" ("project_key") WHERE "terms" ?| ARRAY['hours', 'notice_seconds'];
CREATE INDEX "instance_constraint_with_times" ON "instance_constraint" ("instance_key") WHERE "terms" ?| ARRAY['hours', 'notice_seconds'];
CREATE INDEX "group_constraint_with_times" ON "group_constraint" ("group_key") WHERE "terms" ?| ARRAY['hours', 'notice_seconds'];
