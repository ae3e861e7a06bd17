DROP INDEX "catalog_entries_source_idx";--> statement-breakpoint
ALTER TABLE "catalog_entries" ADD COLUMN "fingerprint" text;--> statement-breakpoint
CREATE INDEX "catalog_entries_table_idx" ON "catalog_entries" USING btree ("source_id","schema_name","table_name");