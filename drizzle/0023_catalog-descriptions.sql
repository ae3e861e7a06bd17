CREATE TABLE "catalog_descriptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog_descriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"data_source_id" integer NOT NULL,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"column_name" text,
	"description" text NOT NULL,
	"updated_by_id" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "catalog_descriptions_name_idx" UNIQUE NULLS NOT DISTINCT("data_source_id","schema_name","table_name","column_name")
);
--> statement-breakpoint
ALTER TABLE "catalog_descriptions" ADD CONSTRAINT "catalog_descriptions_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_descriptions" ADD CONSTRAINT "catalog_descriptions_updated_by_id_users_id_fk" FOREIGN KEY ("updated_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;