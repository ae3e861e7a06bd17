CREATE TABLE "imported_rules" (
	"contract_id" integer NOT NULL,
	"key" uuid NOT NULL,
	"external_id" text NOT NULL,
	"imported" jsonb NOT NULL,
	CONSTRAINT "imported_rules_contract_id_key_pk" PRIMARY KEY("contract_id","key")
);
--> statement-breakpoint
CREATE TABLE "imported_tables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imported_tables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"data_source_id" integer NOT NULL,
	"tool" text NOT NULL,
	"project" text NOT NULL,
	"external_id" text NOT NULL,
	"contract_id" integer,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"descriptions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"imported_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "imported_rules" ADD CONSTRAINT "imported_rules_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_tables" ADD CONSTRAINT "imported_tables_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_tables" ADD CONSTRAINT "imported_tables_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "imported_rules_external_idx" ON "imported_rules" USING btree ("contract_id","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "imported_tables_external_idx" ON "imported_tables" USING btree ("data_source_id","tool","project","external_id");--> statement-breakpoint
CREATE INDEX "imported_tables_contract_idx" ON "imported_tables" USING btree ("contract_id");