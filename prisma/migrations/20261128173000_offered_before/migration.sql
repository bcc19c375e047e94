-- What a host offered before its first drain in a session, which it has to offer again to be back.
ALTER TABLE "session_host" ADD COLUMN "offered_before" JSONB;

-- Resources that a host of the simulated cloud does not offer for now, and what keeps instances away from it.
ALTER TABLE "sim_host" ADD COLUMN "lacking" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "keeps_away" TEXT[] DEFAULT ARRAY[]::TEXT[];
