CREATE TYPE "public"."lineage_via" AS ENUM('View', 'Query', 'Dbt', 'Load', 'ForeignKey');--> statement-breakpoint
CREATE TABLE "lineage_edges" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lineage_edges_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"via" "lineage_via" NOT NULL,
	"origin" text NOT NULL,
	"from_data_source_id" integer NOT NULL,
	"from_schema_name" text NOT NULL,
	"from_table_name" text NOT NULL,
	"to_data_source_id" integer,
	"to_schema_name" text,
	"to_table_name" text,
	"to_query_id" integer,
	"columns" jsonb NOT NULL,
	"is_certain" boolean NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lineage_sources" (
	"data_source_id" integer PRIMARY KEY NOT NULL,
	"read_at" timestamp (3) with time zone,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "lineage_statements" (
	"data_source_id" integer NOT NULL,
	"key" text NOT NULL,
	"query_id" integer,
	"version_id" integer,
	"hash" text NOT NULL,
	"problem" text,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lineage_statements_data_source_id_key_pk" PRIMARY KEY("data_source_id","key")
);
--> statement-breakpoint
ALTER TABLE "reported_events" ADD COLUMN "columns" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "lineage_edges" ADD CONSTRAINT "lineage_edges_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lineage_edges" ADD CONSTRAINT "lineage_edges_from_data_source_id_data_sources_id_fk" FOREIGN KEY ("from_data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lineage_edges" ADD CONSTRAINT "lineage_edges_to_data_source_id_data_sources_id_fk" FOREIGN KEY ("to_data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lineage_edges" ADD CONSTRAINT "lineage_edges_to_query_id_queries_id_fk" FOREIGN KEY ("to_query_id") REFERENCES "public"."queries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lineage_sources" ADD CONSTRAINT "lineage_sources_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lineage_statements" ADD CONSTRAINT "lineage_statements_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lineage_statements" ADD CONSTRAINT "lineage_statements_query_id_queries_id_fk" FOREIGN KEY ("query_id") REFERENCES "public"."queries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lineage_edges_from_idx" ON "lineage_edges" USING btree ("from_data_source_id","from_table_name");--> statement-breakpoint
CREATE INDEX "lineage_edges_to_idx" ON "lineage_edges" USING btree ("to_data_source_id","to_table_name");--> statement-breakpoint
CREATE INDEX "lineage_edges_query_idx" ON "lineage_edges" USING btree ("to_query_id");--> statement-breakpoint
CREATE INDEX "lineage_edges_origin_idx" ON "lineage_edges" USING btree ("project_id","via","origin");--> statement-breakpoint
CREATE INDEX "lineage_statements_query_idx" ON "lineage_statements" USING btree ("query_id");