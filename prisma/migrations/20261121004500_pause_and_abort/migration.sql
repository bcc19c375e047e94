-- AlterTable
ALTER TABLE "session" ADD COLUMN     "abort_requested_at" TIMESTAMPTZ(3),
ADD COLUMN     "paused_at" TIMESTAMPTZ(3);

-- A deletion is an abort, and then the removal: whoever takes up the one takes up the other.
ALTER TABLE "session" RENAME COLUMN "delete_taken_up_at" TO "abort_taken_up_at";
