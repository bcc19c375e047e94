-- AlterTable
ALTER TABLE "session" ADD COLUMN     "ignore_freezes" TEXT,
ADD COLUMN     "window_closed_by" TEXT,
ADD COLUMN     "window_frozen_by" TEXT;

-- CreateTable
CREATE TABLE "session_freeze" (
    "name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3),
    "until_at" TIMESTAMPTZ(3),
    "times" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_freeze_pkey" PRIMARY KEY ("name")
);
