-- Entries are only ever added: no bug changes or removes one.
CREATE FUNCTION "audit_log_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The audit log is only ever added to';
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_log_stands" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
	FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_stands"();--> statement-breakpoint
-- The log as it is read. An hour of a key's reading has no id of its own: its key and its hour (counted from 1970,
-- below 4,000,000 until the year 2426) make a negative one that is the same for ever.
CREATE VIEW "audit_entries" AS
	SELECT "id"::bigint AS "id", "at", "principal_kind", "principal_id", "principal_name", "user_id",
		"action", "object_kind", "object_id", "detail", "address"
	FROM "audit_log"
	UNION ALL
	SELECT -("key_id"::bigint * 4000000 + extract(epoch FROM "hour")::bigint / 3600), "hour",
		'ApiKey'::"principal_kind", "key_id", "api_keys"."name" || ' (' || "users"."name" || ')', "api_keys"."user_id",
		'keys.read', 'apiKey', "key_id",
		to_char("count", 'FM999,999,999,999') || CASE "count" WHEN 1 THEN ' read' ELSE ' reads' END, NULL
	FROM "key_reads"
		JOIN "api_keys" ON "api_keys"."id" = "key_reads"."key_id"
		JOIN "users" ON "users"."id" = "api_keys"."user_id";
