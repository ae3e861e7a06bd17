CREATE TABLE "audit_chain" (
	"position" bigint PRIMARY KEY NOT NULL,
	"entry_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"digest" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"signature" "bytea"
);
--> statement-breakpoint
CREATE TABLE "audit_chain_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"signing_key" "bytea" NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"removed_before" timestamp (3) with time zone,
	"signature" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_export" (
	"id" integer PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "audit_pending" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_pending_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entry_id" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_chain_entry_idx" ON "audit_chain" USING btree ("entry_id","position");
--> statement-breakpoint
-- By hand: whatever adds an entry, or the outcome of a run, has it added to the chain.
CREATE FUNCTION "audit_log_awaits_chain"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "audit_pending" ("entry_id") VALUES (NEW."id");
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_log_awaits_chain" AFTER INSERT OR UPDATE ON "audit_log"
	FOR EACH ROW EXECUTE FUNCTION "audit_log_awaits_chain"();--> statement-breakpoint
INSERT INTO "audit_pending" ("entry_id") SELECT "id" FROM "audit_log" ORDER BY "id";
--> statement-breakpoint
-- By hand: the function removes with the rights of its owner, so that the service itself needs none to delete entries; and
-- nobody else may call it.
ALTER FUNCTION "remove_old_audit_entries"(interval, integer) SECURITY DEFINER;--> statement-breakpoint
ALTER FUNCTION "remove_old_audit_entries"(interval, integer) SET search_path = public, pg_temp;--> statement-breakpoint
REVOKE ALL ON FUNCTION "remove_old_audit_entries"(interval, integer) FROM PUBLIC;
