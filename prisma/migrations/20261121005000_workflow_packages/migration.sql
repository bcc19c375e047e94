-- AlterTable
ALTER TABLE "session" ADD COLUMN     "rolling" TEXT,
ADD COLUMN     "workflow_module" TEXT;
