-- AlterTable
ALTER TABLE "session_host" ADD COLUMN     "phase_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- Of hosts from before, the last change is as near as can be told.
UPDATE "session_host" SET "phase_since" = coalesce("updated_at", "created_at");
