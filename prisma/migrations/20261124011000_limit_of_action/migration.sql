-- AlterTable
ALTER TABLE "claim" ADD COLUMN "limit_seconds" INTEGER;
