ALTER TABLE "subscription_state" ADD COLUMN "changed" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "changed" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "changed" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
CREATE INDEX "subscription_state_changed_idx" ON "subscription_state" USING btree ("changed");--> statement-breakpoint
CREATE INDEX "subscriptions_changed_idx" ON "subscriptions" USING btree ("changed");--> statement-breakpoint
CREATE INDEX "tasks_changed_idx" ON "tasks" USING btree ("changed") WHERE "tasks"."subscription_id" is not null;--> statement-breakpoint
-- By hand: whatever changes a row, also by hand, says so.
CREATE FUNCTION "has_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."changed" := pg_current_xact_id();
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "subscription_state_has_changed" BEFORE UPDATE ON "subscription_state"
	FOR EACH ROW EXECUTE FUNCTION "has_changed"();--> statement-breakpoint
CREATE TRIGGER "subscriptions_has_changed" BEFORE UPDATE OF "archived_at", "created_at", "project_id", "query_id" ON "subscriptions"
	FOR EACH ROW EXECUTE FUNCTION "has_changed"();--> statement-breakpoint
CREATE TRIGGER "tasks_has_changed" BEFORE UPDATE OF "status", "subscription_id" ON "tasks"
	FOR EACH ROW EXECUTE FUNCTION "has_changed"();
