-- The time of the first drain of a host, from which pods that end by themselves have their time; null: not drained yet.
ALTER TABLE "session_host" ADD COLUMN "first_drained_at" TIMESTAMPTZ(3);
