-- Where instances went, or that they are gone, since a cloud was listed: read at every admission, of all outcomes.
DROP INDEX "claim_landed";
CREATE INDEX "claim_ended_at_idx" ON "claim"("ended_at");

-- Nothing is looked up by group: open claims are few.
DROP INDEX "claim_group_key_idx";
