ALTER TYPE "public"."edited_kind" ADD VALUE 'Query';--> statement-breakpoint
ALTER TYPE "public"."edited_kind" ADD VALUE 'Folder';--> statement-breakpoint
ALTER TYPE "public"."edited_kind" ADD VALUE 'IncidentPolicy';--> statement-breakpoint
ALTER TYPE "public"."edited_kind" ADD VALUE 'MaintenanceWindow';--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "incident_policies" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "maintenance_windows" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "query_folders" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;