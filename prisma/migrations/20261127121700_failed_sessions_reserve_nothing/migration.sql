-- Sessions that failed before kept capacity that nobody would use.
DELETE FROM "reservation" USING "session"
WHERE "session"."id" = "reservation"."session_id" AND "session"."state" = 'MAINTENANCE_FAILED';
