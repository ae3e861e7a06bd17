ALTER TYPE "public"."notification_cause" ADD VALUE 'Task' BEFORE 'Test';--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"topics" jsonb NOT NULL,
	"quiet_from" text,
	"quiet_until" text,
	"urgent_in_quiet_hours" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;