-- AlterTable
ALTER TABLE "event" ADD COLUMN     "bus_refusal" TEXT;
