ALTER TABLE "incident_policies" ADD COLUMN "tags" text[];--> statement-breakpoint
ALTER TABLE "maintenance_windows" ADD COLUMN "tags" text[];