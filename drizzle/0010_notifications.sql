CREATE TYPE "public"."notification_cause" AS ENUM('Execution', 'Evaluation', 'Monitor', 'Actor', 'Test');--> statement-breakpoint
CREATE TYPE "public"."delivery_status" AS ENUM('Queued', 'Sent', 'Failed');--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"notification_id" integer NOT NULL,
	"project_id" integer NOT NULL,
	"recipient_id" integer,
	"user_id" integer,
	"recipient_name" text NOT NULL,
	"channel" "recipient_type" NOT NULL,
	"status" "delivery_status" DEFAULT 'Queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now(),
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "deliveries_one_receiver" CHECK (num_nonnulls("deliveries"."recipient_id", "deliveries"."user_id") = 1),
	CONSTRAINT "deliveries_queued_has_time" CHECK (("deliveries"."status" = 'Queued') = ("deliveries"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"cause_kind" "notification_cause" NOT NULL,
	"cause_id" integer NOT NULL,
	"dedupe_key" text DEFAULT '' NOT NULL,
	"subject" text NOT NULL,
	"content" jsonb NOT NULL,
	"attachment" "bytea",
	"attachment_name" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_recipient_id_recipients_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."recipients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_recipient_idx" ON "deliveries" USING btree ("notification_id","recipient_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_user_idx" ON "deliveries" USING btree ("notification_id","user_id");--> statement-breakpoint
CREATE INDEX "deliveries_due_idx" ON "deliveries" USING btree ("next_attempt_at") WHERE "deliveries"."status" = 'Queued';--> statement-breakpoint
CREATE INDEX "deliveries_queue_idx" ON "deliveries" USING btree ("recipient_id","user_id") WHERE "deliveries"."status" = 'Queued';--> statement-breakpoint
CREATE INDEX "deliveries_project_idx" ON "deliveries" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "deliveries_history_idx" ON "deliveries" USING btree ("recipient_id","id");--> statement-breakpoint
CREATE INDEX "deliveries_status_idx" ON "deliveries" USING btree ("status","id");--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_cause_idx" ON "notifications" USING btree ("cause_kind","cause_id","dedupe_key");--> statement-breakpoint
CREATE INDEX "notifications_attached_idx" ON "notifications" USING btree ("created_at") WHERE "notifications"."attachment" is not null;