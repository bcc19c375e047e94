-- Terms: what projects say once, and which questions they have answered.
CREATE TABLE "project_terms" (
  "project_id" TEXT NOT NULL,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "terms" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "updated_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("project_key")
);
ALTER TABLE "instance_constraint" ADD COLUMN "terms" JSONB;
ALTER TABLE "group_constraint" ADD COLUMN "terms" JSONB;
ALTER TABLE "question" ADD COLUMN "answered_by" TEXT, ADD COLUMN "terms_answer" JSONB;
