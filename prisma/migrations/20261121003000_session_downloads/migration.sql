-- CreateTable
CREATE TABLE "session_download" (
    "session_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "size_bytes" BIGINT,
    "problem" TEXT,
    "sha256" TEXT,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_download_pkey" PRIMARY KEY ("session_id","position")
);

-- AddForeignKey
ALTER TABLE "session_download" ADD CONSTRAINT "session_download_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
