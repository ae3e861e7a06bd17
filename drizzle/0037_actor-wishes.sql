ALTER TABLE "actor_executions" ADD COLUMN "wishes" jsonb;--> statement-breakpoint
ALTER TABLE "actors" ADD COLUMN "wishes" jsonb;