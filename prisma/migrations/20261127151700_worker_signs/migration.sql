-- CreateTable
CREATE TABLE "worker_sign" (
    "identity" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "worker_sign_pkey" PRIMARY KEY ("identity")
);
