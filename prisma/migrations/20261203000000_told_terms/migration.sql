-- AlterTable
ALTER TABLE "session_instance" ADD COLUMN     "terms" JSONB;
