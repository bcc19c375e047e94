-- CreateTable
CREATE TABLE "sim_group" (
    "group_id" UUID NOT NULL,
    "anti_affinity" BOOLEAN NOT NULL,
    "max_instances_per_host" INTEGER NOT NULL,

    CONSTRAINT "sim_group_pkey" PRIMARY KEY ("group_id")
);
