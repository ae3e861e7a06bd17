ALTER TYPE "public"."notification_cause" ADD VALUE 'PersonalDigest' BEFORE 'Test';--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD COLUMN "digest" jsonb;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD COLUMN "last_digest_day" date;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD COLUMN "last_digest_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_of_project_or_user" CHECK (num_nonnulls("deliveries"."project_id", "deliveries"."user_id") > 0);