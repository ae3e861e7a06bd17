CREATE TYPE "public"."catalog_entry_kind" AS ENUM('Table', 'Query', 'Contract', 'Actor', 'Column');--> statement-breakpoint
CREATE TABLE "catalog_entries" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" "catalog_entry_kind" NOT NULL,
	"source_id" integer,
	"object_id" integer,
	"project_id" integer,
	"data_source_id" integer,
	"schema_name" text,
	"table_name" text,
	"name" text NOT NULL,
	"description" text,
	"names" "tsvector" NOT NULL,
	"document" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalog_sources" (
	"data_source_id" integer PRIMARY KEY NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	"descriptions" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalog_words" (
	"data_source_id" integer NOT NULL,
	"word" text NOT NULL,
	CONSTRAINT "catalog_words_data_source_id_word_pk" PRIMARY KEY("data_source_id","word")
);
--> statement-breakpoint
ALTER TABLE "catalog_entries" ADD CONSTRAINT "catalog_entries_source_fk" FOREIGN KEY ("source_id") REFERENCES "public"."catalog_sources"("data_source_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_sources" ADD CONSTRAINT "catalog_sources_schema_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_source_schemas"("data_source_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_words" ADD CONSTRAINT "catalog_words_source_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."catalog_sources"("data_source_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_entries_object_idx" ON "catalog_entries" USING btree ("kind","object_id");--> statement-breakpoint
CREATE INDEX "catalog_entries_source_idx" ON "catalog_entries" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "catalog_entries_document_idx" ON "catalog_entries" USING gin ("document") WITH (fastupdate=false);--> statement-breakpoint
-- Trigrams find what was mistyped. Where a database's keepers allow no extension the search goes without; when they
-- do, docs/search.md says how to add what is skipped here.
DO $$
BEGIN
	CREATE EXTENSION IF NOT EXISTS pg_trgm;
	CREATE INDEX "catalog_words_trigram_idx" ON "catalog_words" USING gin ("word" gin_trgm_ops) WITH (fastupdate=false);
	CREATE INDEX "catalog_entries_trigram_idx" ON "catalog_entries" USING gin ("name" gin_trgm_ops)
		WITH (fastupdate=false) WHERE "object_id" IS NOT NULL;
EXCEPTION WHEN OTHERS THEN
	RAISE WARNING 'Search will not forgive typing errors, as pg_trgm cannot be used: %', SQLERRM;
END
$$;
