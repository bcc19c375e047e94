-- AlterTable
ALTER TABLE "session_host" ADD COLUMN     "enabled_at" TIMESTAMPTZ(3);
