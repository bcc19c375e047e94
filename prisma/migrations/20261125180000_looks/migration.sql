-- A look at a session, which may come every second, reads the instances on hosts under work, and few of its questions.
CREATE INDEX "session_instance_session_id_host_idx" ON "session_instance"("session_id", "host");

CREATE INDEX "question_looked_at" ON "question"("session_id")
WHERE "status" = 'open' OR "answer" = 'NACK' OR ("instance_id" IS NULL AND "hostname" IS NULL);
