-- Limits of a session on hosts under work at once, over labels of hosts such as their zone and rack.
ALTER TABLE "session" ADD COLUMN "max_parallel_per" JSONB, ADD COLUMN "one_domain_at_a_time" TEXT;
