-- What a session says about instances that the cloud keeps; null: as the settings say.
ALTER TABLE "session" ADD COLUMN "eviction" JSONB;
