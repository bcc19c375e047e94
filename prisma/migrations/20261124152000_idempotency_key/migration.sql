-- The create request of a session that had an Idempotency-Key: whose, which, and the digest of its body.
ALTER TABLE "session" ADD COLUMN "idempotency_caller" TEXT,
  ADD COLUMN "idempotency_key" TEXT,
  ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "session_idempotency_caller_idempotency_key_key" ON "session"("idempotency_caller", "idempotency_key");
