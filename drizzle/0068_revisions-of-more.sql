ALTER TYPE "public"."edited_kind" ADD VALUE 'Actor';--> statement-breakpoint
ALTER TYPE "public"."edited_kind" ADD VALUE 'Recipient';--> statement-breakpoint
ALTER TYPE "public"."edited_kind" ADD VALUE 'DataSource';--> statement-breakpoint
ALTER TYPE "public"."edited_kind" ADD VALUE 'Project';--> statement-breakpoint
ALTER TABLE "actors" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "data_sources" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "recipients" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;