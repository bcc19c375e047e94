-- AlterTable
ALTER TABLE "session" ADD COLUMN     "opening_order" TEXT[] DEFAULT ARRAY[]::TEXT[];
