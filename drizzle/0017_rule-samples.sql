CREATE TYPE "public"."sample_mode" AS ENUM('Off', 'Masked', 'Full');--> statement-breakpoint
CREATE TABLE "rule_samples" (
	"evaluation_id" integer NOT NULL,
	"rule_id" integer NOT NULL,
	"sample" jsonb NOT NULL,
	"taken_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rule_samples_evaluation_id_rule_id_pk" PRIMARY KEY("evaluation_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "sample_requests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sample_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"evaluation_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "samples" "sample_mode" DEFAULT 'Masked' NOT NULL;--> statement-breakpoint
ALTER TABLE "rule_results" ADD COLUMN "failing" numeric;--> statement-breakpoint
ALTER TABLE "rule_samples" ADD CONSTRAINT "rule_samples_result_fk" FOREIGN KEY ("evaluation_id","rule_id") REFERENCES "public"."rule_results"("evaluation_id","rule_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sample_requests" ADD CONSTRAINT "sample_requests_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rule_samples_taken_idx" ON "rule_samples" USING btree ("taken_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sample_requests_evaluation_idx" ON "sample_requests" USING btree ("evaluation_id");--> statement-breakpoint
CREATE INDEX "sample_requests_free_idx" ON "sample_requests" USING btree ("lease_until");