CREATE TABLE "settings" (
	"id" integer PRIMARY KEY NOT NULL,
	"approval_workflow" boolean,
	"four_eyes" boolean,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "query_versions" ADD COLUMN "base_number" integer;--> statement-breakpoint
ALTER TABLE "query_versions" ADD COLUMN "decided_by_id" integer;--> statement-breakpoint
ALTER TABLE "query_versions" ADD COLUMN "decided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "query_versions" ADD COLUMN "decision_comment" text;--> statement-breakpoint
ALTER TABLE "query_versions" ADD CONSTRAINT "query_versions_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "query_versions_requested_idx" ON "query_versions" USING btree ("status","id" DESC NULLS FIRST) WHERE "query_versions"."base_number" is not null;