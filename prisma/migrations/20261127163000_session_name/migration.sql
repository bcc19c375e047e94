-- AlterTable
ALTER TABLE "session" ADD COLUMN     "name" TEXT;
