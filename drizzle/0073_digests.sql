ALTER TYPE "public"."notification_cause" ADD VALUE 'Digest' BEFORE 'Test';--> statement-breakpoint
ALTER TABLE "incident_policies" ALTER COLUMN "min_severity" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "incident_policies" ADD COLUMN "digest" jsonb;--> statement-breakpoint
ALTER TABLE "incident_policies" ADD COLUMN "last_digest_day" date;