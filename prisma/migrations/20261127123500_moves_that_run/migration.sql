ALTER TABLE "claim" ADD COLUMN "limit_by_project" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "openstack_move"
  ADD COLUMN "queued" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "ran_at" TIMESTAMPTZ(3),
  ADD COLUMN "least_left" BIGINT,
  ADD COLUMN "progress_at" TIMESTAMPTZ(3);
