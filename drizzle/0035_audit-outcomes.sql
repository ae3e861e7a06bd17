ALTER TABLE "audit_log" ADD COLUMN "outcome" text;--> statement-breakpoint
-- A run's entry is written before the run begins, with the outcome ''. When it ends the outcome is written, once;
-- nothing else of an entry is ever changed.
CREATE FUNCTION "audit_log_entry_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD."outcome" = '' AND NEW."outcome" <> ''
		AND to_jsonb(OLD) - 'outcome' = to_jsonb(NEW) - 'outcome' THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'The audit log is only ever added to';
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_log_entry_stands" BEFORE UPDATE ON "audit_log"
	FOR EACH ROW EXECUTE FUNCTION "audit_log_entry_stands"();--> statement-breakpoint
CREATE OR REPLACE TRIGGER "audit_log_stands" BEFORE DELETE OR TRUNCATE ON "audit_log"
	FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_stands"();--> statement-breakpoint
CREATE OR REPLACE VIEW "audit_entries" AS
	SELECT "id"::bigint AS "id", "at", "principal_kind", "principal_id", "principal_name", "user_id",
		"action", "object_kind", "object_id",
		CASE WHEN "outcome" IS NULL THEN "detail"
			ELSE concat_ws('; ', coalesce(nullif("outcome", ''), 'No outcome recorded'), "detail") END AS "detail",
		"address"
	FROM "audit_log"
	UNION ALL
	SELECT -("key_id"::bigint * 4000000 + extract(epoch FROM "hour")::bigint / 3600), "hour",
		'ApiKey'::"principal_kind", "key_id", "api_keys"."name" || ' (' || "users"."name" || ')', "api_keys"."user_id",
		'keys.read', 'apiKey', "key_id",
		to_char("count", 'FM999,999,999,999') || CASE "count" WHEN 1 THEN ' read' ELSE ' reads' END, NULL
	FROM "key_reads"
		JOIN "api_keys" ON "api_keys"."id" = "key_reads"."key_id"
		JOIN "users" ON "users"."id" = "api_keys"."user_id";
