CREATE TYPE "public"."cost_unit" AS ENUM('bytes', 'credits', 'seconds');--> statement-breakpoint
CREATE TABLE "data_source_costs" (
	"data_source_id" integer NOT NULL,
	"day" date NOT NULL,
	"contract_id" integer,
	"unit" "cost_unit" NOT NULL,
	"amount" double precision NOT NULL,
	"statements" integer NOT NULL,
	CONSTRAINT "data_source_costs_day_idx" UNIQUE NULLS NOT DISTINCT("data_source_id","day","contract_id","unit")
);
--> statement-breakpoint
ALTER TABLE "data_sources" ADD COLUMN "daily_budget" double precision;--> statement-breakpoint
ALTER TABLE "data_source_costs" ADD CONSTRAINT "data_source_costs_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_source_costs_contract_idx" ON "data_source_costs" USING btree ("contract_id","day") WHERE "data_source_costs"."contract_id" is not null;