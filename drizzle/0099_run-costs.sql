ALTER TABLE "evaluations" ADD COLUMN "cost" jsonb;--> statement-breakpoint
ALTER TABLE "finding_scans" ADD COLUMN "cost" jsonb;