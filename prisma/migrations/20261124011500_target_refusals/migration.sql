-- Hosts that the cloud refused to an instance, with what was there then.
CREATE TABLE "target_refusal" (
    "instance_id" TEXT NOT NULL,
    "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED,
    "target" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "refused_at" TIMESTAMPTZ(3) NOT NULL,
    "passes_at" TIMESTAMPTZ(3),
    "host_there" JSONB NOT NULL,
    "instances_there" TEXT[],

    CONSTRAINT "target_refusal_pkey" PRIMARY KEY ("instance_key", "target")
);

-- Hosts of the simulated cloud that refuse an instance.
ALTER TABLE "sim_instance" ADD COLUMN "refused_by" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
