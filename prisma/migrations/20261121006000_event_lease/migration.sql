-- CreateTable
CREATE TABLE "event_lease" (
    "session_id" UUID NOT NULL,
    "holder" UUID NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_lease_pkey" PRIMARY KEY ("session_id")
);

-- DropIndex
DROP INDEX "question_session_id_project_id_idx";

-- CreateIndex
CREATE INDEX "question_session_id_project_id_instance_id_idx" ON "question"("session_id", "project_id", "instance_id");

-- AlterTable
ALTER TABLE "session" DROP COLUMN "publisher",
DROP COLUMN "publisher_until";
