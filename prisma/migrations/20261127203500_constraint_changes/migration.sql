-- CreateTable
CREATE TABLE "constraint_change" (
    "id" BIGSERIAL NOT NULL,
    "xid" BIGINT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "instance_key" TEXT,
    "project_key" TEXT NOT NULL,
    "group_key" TEXT NOT NULL,

    CONSTRAINT "constraint_change_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "constraint_change_xid_idx" ON "constraint_change"("xid");
CREATE INDEX "constraint_change_changed_at_idx" ON "constraint_change"("changed_at");

-- Written by triggers, so that no writer can forget it. A change of a row is noted with what it was and what it is.
CREATE FUNCTION "instance_constraint_changed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "constraint_change" ("xid", "instance_key", "project_key", "group_key")
  SELECT pg_current_xact_id()::text::bigint, "instance_key", "project_key", "group_key" FROM "changed";
  RETURN NULL;
END
$$;

CREATE FUNCTION "instance_constraint_updated"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "constraint_change" ("xid", "instance_key", "project_key", "group_key")
  SELECT pg_current_xact_id()::text::bigint, was."instance_key", side."project_key", side."group_key"
  FROM "was" JOIN "changed" ON "changed"."instance_key" = was."instance_key",
    LATERAL (VALUES (was."project_key", was."group_key"), ("changed"."project_key", "changed"."group_key"))
      AS side("project_key", "group_key")
  WHERE to_jsonb(was) - 'missing_since' IS DISTINCT FROM to_jsonb("changed") - 'missing_since';
  RETURN NULL;
END
$$;

CREATE FUNCTION "group_constraint_changed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "constraint_change" ("xid", "project_key", "group_key")
  SELECT pg_current_xact_id()::text::bigint, "id_key"("project_id"), "group_key" FROM "changed";
  RETURN NULL;
END
$$;

CREATE FUNCTION "group_constraint_updated"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "constraint_change" ("xid", "project_key", "group_key")
  SELECT pg_current_xact_id()::text::bigint, "id_key"(side."project_id"), was."group_key"
  FROM "was" JOIN "changed" ON "changed"."group_key" = was."group_key",
    LATERAL (VALUES (was."project_id"), ("changed"."project_id")) AS side("project_id")
  WHERE to_jsonb(was) - 'missing_since' IS DISTINCT FROM to_jsonb("changed") - 'missing_since';
  RETURN NULL;
END
$$;

CREATE TRIGGER "instance_constraint_inserted" AFTER INSERT ON "instance_constraint"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "instance_constraint_changed"();
CREATE TRIGGER "instance_constraint_deleted" AFTER DELETE ON "instance_constraint"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "instance_constraint_changed"();
CREATE TRIGGER "instance_constraint_updated" AFTER UPDATE ON "instance_constraint"
  REFERENCING OLD TABLE AS "was" NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "instance_constraint_updated"();
CREATE TRIGGER "group_constraint_inserted" AFTER INSERT ON "group_constraint"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "group_constraint_changed"();
CREATE TRIGGER "group_constraint_deleted" AFTER DELETE ON "group_constraint"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "group_constraint_changed"();
CREATE TRIGGER "group_constraint_updated" AFTER UPDATE ON "group_constraint"
  REFERENCING OLD TABLE AS "was" NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "group_constraint_updated"();

-- Which sessions have instances of a project: those are woken when its constraints change.
CREATE INDEX "session_instance_project" ON "session_instance"("session_id", "id_key"("project_id"));
