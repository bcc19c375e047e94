-- The phases that a host was in before its present one, oldest first: {"phase", "since"}. What happened to it stays known
-- when it is skipped or retried.
ALTER TABLE "session_host" ADD COLUMN "past_phases" JSONB NOT NULL DEFAULT '[]';

-- Hosts of earlier versions have the beginnings of their last drain and maintenance.
UPDATE "session_host" SET "past_phases" =
  (CASE WHEN "phase" <> 'emptying'
    THEN jsonb_build_array(jsonb_build_object('phase', 'emptying', 'since', "opened_at")) ELSE '[]' END)
  || (CASE WHEN "phase" NOT IN ('emptying', 'maintaining') AND "maintained_from" >= "opened_at"
    THEN jsonb_build_array(jsonb_build_object('phase', 'maintaining', 'since', "maintained_from")) ELSE '[]' END)
WHERE "opened_at" IS NOT NULL;

-- Here, so that no statement that writes a phase can forget it. A host that is given back again and again keeps the last
-- hundred.
CREATE FUNCTION "session_host_keep_phase"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW."past_phases" :=
    (CASE WHEN jsonb_array_length(OLD."past_phases") < 100 THEN OLD."past_phases" ELSE OLD."past_phases" - 0 END)
    || jsonb_build_array(jsonb_build_object('phase', OLD."phase", 'since', OLD."phase_since"));
  RETURN NEW;
END
$$;

CREATE TRIGGER "session_host_phase" BEFORE UPDATE OF "phase" ON "session_host"
  FOR EACH ROW WHEN (OLD."phase" IS DISTINCT FROM NEW."phase") EXECUTE FUNCTION "session_host_keep_phase"();
