ALTER TABLE "openstack_move" ADD COLUMN "left_over_at" TIMESTAMPTZ(3);
