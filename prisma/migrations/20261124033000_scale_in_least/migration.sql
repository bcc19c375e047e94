-- The least that was missing when a project was asked to scale in; null: nobody was asked yet.
ALTER TABLE "session" ADD COLUMN "scale_in_hosts_left" INTEGER, ADD COLUMN "scale_in_share" DOUBLE PRECISION;
