-- AlterTable
ALTER TABLE "session_host" ADD COLUMN "enabling_at" TIMESTAMPTZ(3);
