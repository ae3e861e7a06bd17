CREATE TABLE "table_tags" (
	"data_source_id" integer NOT NULL,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"tags" text[] NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "table_tags_data_source_id_schema_name_table_name_pk" PRIMARY KEY("data_source_id","schema_name","table_name")
);
--> statement-breakpoint
ALTER TABLE "table_tags" ADD CONSTRAINT "table_tags_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;