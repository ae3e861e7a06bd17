CREATE TYPE "public"."approval_kind" AS ENUM('Change', 'FirstRun', 'Archive');--> statement-breakpoint
CREATE TYPE "public"."approval_status" AS ENUM('Pending', 'Approved', 'Rejected', 'Superseded');--> statement-breakpoint
CREATE TYPE "public"."settings_change_status" AS ENUM('Pending', 'Approved', 'Rejected', 'Superseded');--> statement-breakpoint
CREATE TABLE "query_approvals" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "query_approvals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" "approval_kind" NOT NULL,
	"status" "approval_status" DEFAULT 'Pending' NOT NULL,
	"query_id" integer NOT NULL,
	"version_id" integer NOT NULL,
	"base_number" integer NOT NULL,
	"summary" text,
	"requested_by_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_by_id" integer,
	"decided_at" timestamp (3) with time zone,
	"decision_comment" text
);
--> statement-breakpoint
CREATE TABLE "settings_changes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settings_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"status" "settings_change_status" DEFAULT 'Pending' NOT NULL,
	"approval_workflow" boolean NOT NULL,
	"four_eyes" boolean NOT NULL,
	"requested_by_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_by_id" integer,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "query_versions" DROP CONSTRAINT "query_versions_decided_by_id_users_id_fk";
--> statement-breakpoint
DROP INDEX "query_versions_requested_idx";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "parent_key_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "admin_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "admin_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "unreviewed_version" integer;--> statement-breakpoint
ALTER TABLE "query_approvals" ADD CONSTRAINT "query_approvals_query_id_queries_id_fk" FOREIGN KEY ("query_id") REFERENCES "public"."queries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_approvals" ADD CONSTRAINT "query_approvals_version_id_query_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."query_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_approvals" ADD CONSTRAINT "query_approvals_requested_by_id_users_id_fk" FOREIGN KEY ("requested_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_approvals" ADD CONSTRAINT "query_approvals_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings_changes" ADD CONSTRAINT "settings_changes_requested_by_id_users_id_fk" FOREIGN KEY ("requested_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings_changes" ADD CONSTRAINT "settings_changes_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "query_approvals_status_idx" ON "query_approvals" USING btree ("status","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "query_approvals_pending_idx" ON "query_approvals" USING btree ("query_id","kind") WHERE "query_approvals"."status" = 'Pending';--> statement-breakpoint
CREATE INDEX "query_approvals_version_idx" ON "query_approvals" USING btree ("version_id");--> statement-breakpoint
CREATE UNIQUE INDEX "settings_changes_pending_idx" ON "settings_changes" USING btree ("status") WHERE "settings_changes"."status" = 'Pending';--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_parent_key_id_api_keys_id_fk" FOREIGN KEY ("parent_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_parent_idx" ON "api_keys" USING btree ("parent_key_id") WHERE "api_keys"."parent_key_id" is not null;--> statement-breakpoint
-- What was asked for and decided so far stood in the versions; a request keeps its id.
INSERT INTO "query_approvals" ("id", "kind", "status", "query_id", "version_id", "base_number", "summary", "requested_by_id", "created_at", "decided_by_id", "decided_at", "decision_comment")
OVERRIDING SYSTEM VALUE
SELECT "id", 'Change', (CASE "status" WHEN 'PendingApproval' THEN 'Pending' WHEN 'Rejected' THEN 'Rejected' WHEN 'Superseded' THEN 'Superseded' ELSE 'Approved' END)::"approval_status",
  "query_id", "id", "base_number", "change_summary", "created_by_id", "created_at", "decided_by_id", "decided_at", "decision_comment"
FROM "query_versions" WHERE "base_number" IS NOT NULL;--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('query_approvals', 'id'), max("id")) FROM "query_approvals";--> statement-breakpoint
ALTER TABLE "query_versions" DROP COLUMN "base_number";--> statement-breakpoint
ALTER TABLE "query_versions" DROP COLUMN "decided_by_id";--> statement-breakpoint
ALTER TABLE "query_versions" DROP COLUMN "decided_at";--> statement-breakpoint
ALTER TABLE "query_versions" DROP COLUMN "decision_comment";