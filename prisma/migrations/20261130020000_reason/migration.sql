-- AlterTable
ALTER TABLE "session" ADD COLUMN     "reason" TEXT;
