-- Of the instances that a question is about and the cloud moves nowhere: why, by their IDs.
ALTER TABLE "question" ADD COLUMN "cannot_move" JSONB;
