-- Prisma cannot express a generated column.
CREATE TABLE "kubernetes_move" (
    "id" UUID NOT NULL,
    "claim_id" UUID NOT NULL,
    "forced" BOOLEAN NOT NULL DEFAULT false,
    "instance_id" TEXT NOT NULL,
    "instance_key" TEXT NOT NULL GENERATED ALWAYS AS ("id_key"("instance_id")) STORED,
    "pod_name" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "refusal" TEXT,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kubernetes_move_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "kubernetes_move_claim_id_forced_key" ON "kubernetes_move"("claim_id", "forced");

-- One move of a pod at a time.
CREATE UNIQUE INDEX "kubernetes_move_open" ON "kubernetes_move"("instance_key") WHERE "status" IN ('trying', 'leaving');
