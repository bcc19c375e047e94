-- An instance may be under further limits beside its group's.
ALTER TABLE "claim" ADD COLUMN "further_limit_keys" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- What a cloud's own groups are called, and whether it keeps their members together.
ALTER TABLE "sim_group" ADD COLUMN "name" TEXT;
ALTER TABLE "sim_group" ADD COLUMN "affinity" BOOLEAN NOT NULL DEFAULT false;
