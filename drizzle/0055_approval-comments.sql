ALTER TYPE "public"."notification_cause" ADD VALUE 'Approval' BEFORE 'Test';--> statement-breakpoint
CREATE TABLE "approval_comments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "approval_comments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"approval_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "query_approvals" ADD COLUMN "decision_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "approval_comments" ADD CONSTRAINT "approval_comments_approval_id_query_approvals_id_fk" FOREIGN KEY ("approval_id") REFERENCES "public"."query_approvals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_comments" ADD CONSTRAINT "approval_comments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approval_comments_approval_idx" ON "approval_comments" USING btree ("approval_id","id");--> statement-breakpoint
-- Decisions from before are not shown again.
UPDATE "query_approvals" SET "decision_read_at" = "decided_at" WHERE "decided_at" IS NOT NULL;
