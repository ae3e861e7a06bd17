ALTER TYPE "public"."recipient_type" ADD VALUE 'PagerDuty';--> statement-breakpoint
ALTER TYPE "public"."recipient_type" ADD VALUE 'Opsgenie';--> statement-breakpoint
ALTER TYPE "public"."recipient_type" ADD VALUE 'Discord';--> statement-breakpoint
ALTER TYPE "public"."recipient_type" ADD VALUE 'GoogleChat';--> statement-breakpoint
ALTER TYPE "public"."recipient_type" ADD VALUE 'Ntfy';--> statement-breakpoint
ALTER TYPE "public"."recipient_type" ADD VALUE 'Sms';--> statement-breakpoint
ALTER TABLE "recipients" ADD COLUMN "sealed_destination" "bytea";