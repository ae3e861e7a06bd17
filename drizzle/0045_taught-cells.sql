CREATE TYPE "public"."taught_verdict" AS ENUM('Right', 'Wrong', 'Unsure');--> statement-breakpoint
CREATE TABLE "taught_cells" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "taught_cells_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"data_source_id" integer NOT NULL,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"column_name" text NOT NULL,
	"cell" text NOT NULL,
	"verdict" "taught_verdict" NOT NULL,
	"answered_by_id" integer,
	"answered_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "taught" jsonb;--> statement-breakpoint
ALTER TABLE "taught_cells" ADD CONSTRAINT "taught_cells_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "taught_cells" ADD CONSTRAINT "taught_cells_answered_by_id_users_id_fk" FOREIGN KEY ("answered_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "taught_cells_cell_idx" ON "taught_cells" USING btree ("data_source_id","schema_name","table_name","column_name","cell");