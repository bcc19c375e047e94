-- When a session may begin new work, and the window that is open or opens next as instants; null: at any time.
ALTER TABLE "session" ADD COLUMN "windows" JSONB,
  ADD COLUMN "window_opens_at" TIMESTAMPTZ(3),
  ADD COLUMN "window_closes_at" TIMESTAMPTZ(3),
  ADD COLUMN "window_opens_again_at" TIMESTAMPTZ(3);
