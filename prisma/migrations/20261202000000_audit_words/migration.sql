-- For people: the caller by name, the reason that the caller gave, and the gist of the body.
ALTER TABLE "audit_entry" ADD COLUMN "caller_name" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "reason" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "details" TEXT;

-- The details come with the result; the others stand from the beginning.
CREATE OR REPLACE FUNCTION "audit_entry_guard"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD."status" IS NULL
      AND (NEW."id", NEW."begun_at", NEW."request_id", NEW."role", NEW."caller", NEW."project_id", NEW."address",
           NEW."method", NEW."route", NEW."path", NEW."caller_name", NEW."reason")
        IS NOT DISTINCT FROM
          (OLD."id", OLD."begun_at", OLD."request_id", OLD."role", OLD."caller", OLD."project_id", OLD."address",
           OLD."method", OLD."route", OLD."path", OLD."caller_name", OLD."reason")
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
