CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "request_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "caller" TEXT,
    "project_id" TEXT,
    "address" TEXT,
    "method" TEXT NOT NULL,
    "route" TEXT,
    "path" TEXT NOT NULL,
    "session_id" UUID,
    "body_sha256" TEXT,
    "status" INTEGER,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "audit_entry_begun_at_idx" ON "audit_entry"("begun_at");
CREATE INDEX "audit_entry_caller_id_idx" ON "audit_entry"("caller", "id");
CREATE INDEX "audit_entry_session_id_id_idx" ON "audit_entry"("session_id", "id");

-- An entry gets its result once. It is deleted only when it is older than the days that the transaction names.
CREATE FUNCTION "audit_entry_guard"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD."status" IS NULL
      AND (NEW."id", NEW."begun_at", NEW."request_id", NEW."role", NEW."caller", NEW."project_id", NEW."address",
           NEW."method", NEW."route", NEW."path")
        IS NOT DISTINCT FROM
          (OLD."id", OLD."begun_at", OLD."request_id", OLD."role", OLD."caller", OLD."project_id", OLD."address",
           OLD."method", OLD."route", OLD."path")
      AND (OLD."session_id" IS NULL OR NEW."session_id" IS NOT DISTINCT FROM OLD."session_id")
    THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF OLD."begun_at" < clock_timestamp() - make_interval(days => NULLIF(current_setting('parley.audit_days', true), '')::int)
    THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit is append-only: % refused', TG_OP
    USING HINT = 'entries are removed by the service alone, once they are older than PARLEY_AUDIT_DAYS';
END
$$;

CREATE TRIGGER "audit_entry_rows" BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "audit_entry_guard"();
CREATE TRIGGER "audit_entry_truncate" BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_entry_guard"();
