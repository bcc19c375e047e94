-- CreateTable
CREATE TABLE "openstack_move" (
    "id" UUID NOT NULL,
    "claim_id" UUID NOT NULL,
    "forced" BOOLEAN NOT NULL DEFAULT false,
    "instance_id" UUID NOT NULL,
    "instance_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "target" TEXT,
    "status" TEXT NOT NULL,
    "posting_until" TIMESTAMPTZ(3),
    "nova_time" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT,
    "landed_on" TEXT,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "openstack_move_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "openstack_move_request_id_key" ON "openstack_move"("request_id");

-- CreateIndex
CREATE INDEX "openstack_move_target_created_at_idx" ON "openstack_move"("target", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "openstack_move_claim_id_forced_key" ON "openstack_move"("claim_id", "forced");

-- One move of an instance at a time.
CREATE UNIQUE INDEX "openstack_move_open" ON "openstack_move"("instance_id") WHERE "status" IN ('posting', 'running');
