ALTER TYPE "public"."edited_kind" ADD VALUE 'TableTags';--> statement-breakpoint
ALTER TYPE "public"."edited_kind" ADD VALUE 'ServiceAccount';--> statement-breakpoint
ALTER TYPE "public"."managed_kind" ADD VALUE 'MaintenanceWindow';--> statement-breakpoint
ALTER TYPE "public"."managed_kind" ADD VALUE 'TableTags';--> statement-breakpoint
ALTER TYPE "public"."managed_kind" ADD VALUE 'Actor';--> statement-breakpoint
ALTER TYPE "public"."managed_kind" ADD VALUE 'ServiceAccount';--> statement-breakpoint
ALTER TABLE "table_tags" DROP CONSTRAINT "table_tags_data_source_id_schema_name_table_name_pk";--> statement-breakpoint
ALTER TABLE "managed_things" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "table_tags" ADD COLUMN "id" integer PRIMARY KEY NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "table_tags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "table_tags" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "table_tags_table_idx" ON "table_tags" USING btree ("data_source_id","schema_name","table_name");