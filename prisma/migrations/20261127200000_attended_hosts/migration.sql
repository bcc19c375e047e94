-- While a worker attends a host that is being drained, it sees by itself what happens to the host: nobody has to signal
-- the host's workflow.
ALTER TABLE "session_host" ADD COLUMN "attended_until" TIMESTAMPTZ(3);

-- The claims on a host that is being drained, and the questions about it that are not over.
CREATE INDEX "claim_active_on" ON "claim"("session_id", "source") WHERE "phase" IN ('asked', 'moving');
CREATE INDEX "question_about_host" ON "question"("session_id", "hostname")
  WHERE "claim_id" IS NULL AND "closed_at" IS NULL;
