-- When a session must be over, and what was told of that it will not be, or was not.
ALTER TABLE "session" ADD COLUMN "deadline" TIMESTAMPTZ(3),
  ADD COLUMN "deadline_missed" TEXT;
