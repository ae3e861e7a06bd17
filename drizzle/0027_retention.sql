ALTER TABLE "evaluations" ADD COLUMN "are_results_kept" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "evaluations_old_idx" ON "evaluations" USING btree ("are_results_kept","evaluated_at","id");--> statement-breakpoint
CREATE INDEX "table_scores_evaluation_idx" ON "table_scores" USING btree ("evaluation_id");--> statement-breakpoint
-- Entries are only ever added, and removed by this function alone, when they are old. No bug changes one, or removes
-- one of the last 365 days: that is refused to the function, too.
CREATE OR REPLACE FUNCTION "audit_log_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('plumbline.removes_old_audit_entries', true) = 'on' THEN
		RETURN NULL;
	END IF;
	RAISE EXCEPTION 'The audit log is only ever added to';
END
$$;--> statement-breakpoint
CREATE FUNCTION "audit_log_year_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'Entries of the last 365 days stay in the audit log';
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_log_year_stands" BEFORE DELETE ON "audit_log"
	FOR EACH ROW WHEN (OLD."at" >= now() - interval '365 days') EXECUTE FUNCTION "audit_log_year_stands"();--> statement-breakpoint
CREATE FUNCTION "remove_old_audit_entries"("kept" interval, "most" integer) RETURNS integer LANGUAGE plpgsql
	SET "plumbline.removes_old_audit_entries" = 'on' AS $$
DECLARE
	"removed" integer;
BEGIN
	DELETE FROM "audit_log" WHERE "id" = ANY (ARRAY(
		SELECT "id" FROM "audit_log" WHERE "at" < now() - "kept"
		ORDER BY "at", "id" LIMIT "most" FOR UPDATE SKIP LOCKED));
	GET DIAGNOSTICS "removed" = ROW_COUNT;
	RETURN "removed";
END
$$;
