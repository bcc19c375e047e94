-- What was seen of a live migration after it was over, and which requests Nova knew before it was asked for.
ALTER TABLE "openstack_move"
  ADD COLUMN "known_requests" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "over_since" TIMESTAMPTZ(3),
  ADD COLUMN "rolled_back" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "may_have_left" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "inconclusive" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "again" BOOLEAN NOT NULL DEFAULT false;
