-- What the last look found on a host of a session although it should be empty; null: nothing.
ALTER TABLE "session_host" ADD COLUMN "findings" JSONB;

-- The simulated cloud plays sources that disagree, hosts that are down, and hosts that it cannot tell anything about.
ALTER TABLE "sim_host" ADD COLUMN "is_down" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "is_silent" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "sim_instance" ADD COLUMN "hidden_from" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "way_back_on" TEXT;

-- How long a host may take to be up after its maintenance, in seconds; null: as the setting says.
ALTER TABLE "session" ADD COLUMN "host_start_seconds" INTEGER;
