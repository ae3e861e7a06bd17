CREATE TYPE "public"."finding_kind" AS ENUM('MissingValue', 'DisguisedMissing', 'Duplicate', 'Orphan', 'OutOfRange', 'Format', 'Type', 'Variant', 'Inconsistent', 'Impossible', 'Stale', 'Truncated', 'Encoding');--> statement-breakpoint
CREATE TYPE "public"."finding_scan_status" AS ENUM('Running', 'Completed', 'Failed');--> statement-breakpoint
CREATE TYPE "public"."finding_status" AS ENUM('Open', 'Accepted', 'Dismissed', 'Gone');--> statement-breakpoint
CREATE TABLE "finding_scans" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "finding_scans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"data_source_id" integer NOT NULL,
	"status" "finding_scan_status" DEFAULT 'Running' NOT NULL,
	"requested" jsonb,
	"requested_by_id" integer,
	"tables_done" integer DEFAULT 0 NOT NULL,
	"tables_total" integer DEFAULT 0 NOT NULL,
	"rows_read" numeric DEFAULT 0 NOT NULL,
	"skipped" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"stored" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"lease_token" uuid NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "findings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "findings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"data_source_id" integer NOT NULL,
	"scan_id" integer NOT NULL,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"kind" "finding_kind" NOT NULL,
	"columns" text[] NOT NULL,
	"confidence" double precision NOT NULL,
	"severity" "severity" NOT NULL,
	"rank" double precision NOT NULL,
	"statement" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"condition" jsonb,
	"rule" jsonb,
	"rows_sql" text,
	"failing_rows" numeric NOT NULL,
	"total_rows" numeric NOT NULL,
	"sample" jsonb,
	"status" "finding_status" DEFAULT 'Open' NOT NULL,
	"reason" text,
	"decided_by_id" integer,
	"contract_id" integer,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "finding_scans" ADD CONSTRAINT "finding_scans_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_scans" ADD CONSTRAINT "finding_scans_requested_by_id_users_id_fk" FOREIGN KEY ("requested_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_scan_id_finding_scans_id_fk" FOREIGN KEY ("scan_id") REFERENCES "public"."finding_scans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "finding_scans_running_idx" ON "finding_scans" USING btree ("data_source_id") WHERE "finding_scans"."status" = 'Running';--> statement-breakpoint
CREATE INDEX "finding_scans_source_idx" ON "finding_scans" USING btree ("data_source_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "findings_table_idx" ON "findings" USING btree ("data_source_id","schema_name","table_name");--> statement-breakpoint
CREATE INDEX "findings_rank_idx" ON "findings" USING btree ("status","rank" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "findings_scan_idx" ON "findings" USING btree ("scan_id");--> statement-breakpoint
CREATE INDEX "findings_contract_idx" ON "findings" USING btree ("contract_id");