-- AlterTable
ALTER TABLE "claim" ADD COLUMN     "constraints_at" TIMESTAMPTZ(3);
