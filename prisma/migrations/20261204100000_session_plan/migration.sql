-- The plan with which a session began, for its report.
CREATE TABLE "session_plan" (
  "session_id" UUID NOT NULL,
  "made_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at_earliest" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at_latest" TIMESTAMPTZ(3) NOT NULL,
  "hosts" JSONB NOT NULL,
  PRIMARY KEY ("session_id"),
  FOREIGN KEY ("session_id") REFERENCES "session" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
