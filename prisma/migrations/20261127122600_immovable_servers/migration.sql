ALTER TABLE "openstack_move" ADD COLUMN "blocked" BOOLEAN NOT NULL DEFAULT false;

-- Prisma cannot express a generated column.
CREATE TABLE "openstack_immovable" (
    "instance_id" TEXT NOT NULL,
    "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED,
    "reason" TEXT NOT NULL,
    "told_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "openstack_immovable_pkey" PRIMARY KEY ("instance_key")
);
