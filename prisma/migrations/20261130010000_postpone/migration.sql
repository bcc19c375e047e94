-- AlterTable
ALTER TABLE "question" ADD COLUMN     "not_before_latest" TIMESTAMPTZ(3),
ADD COLUMN     "times" JSONB;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "postpone" JSONB;
