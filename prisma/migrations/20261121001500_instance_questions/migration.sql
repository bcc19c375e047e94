-- AlterTable
ALTER TABLE "session" ADD COLUMN     "max_parallel_hosts" INTEGER;

-- AlterTable
ALTER TABLE "question" ADD COLUMN     "claim_id" UUID;

-- AlterTable
ALTER TABLE "claim" ADD COLUMN     "asked_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "reservation" (
    "instance_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "target" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reservation_pkey" PRIMARY KEY ("instance_id")
);

-- CreateIndex
CREATE INDEX "reservation_session_id_idx" ON "reservation"("session_id");

-- CreateIndex
CREATE INDEX "question_claim_id_idx" ON "question"("claim_id");
