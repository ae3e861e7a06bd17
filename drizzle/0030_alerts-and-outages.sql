CREATE TABLE "contract_alerts" (
	"contract_id" integer PRIMARY KEY NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"last_told_at" timestamp (3) with time zone NOT NULL,
	"last_told_for" timestamp (3) with time zone NOT NULL,
	"last_told_score" numeric(5, 2) NOT NULL,
	"told_not_evaluated" boolean NOT NULL,
	"told_rule_keys" uuid[] NOT NULL,
	"told_recipient_ids" integer[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "reminder_hours" integer DEFAULT 24;--> statement-breakpoint
ALTER TABLE "evaluations" ADD COLUMN "not_evaluated_because" text;--> statement-breakpoint
ALTER TABLE "table_scores" ADD COLUMN "measured" jsonb;--> statement-breakpoint
ALTER TABLE "contract_alerts" ADD CONSTRAINT "contract_alerts_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evaluations_measured_idx" ON "evaluations" USING btree ("contract_id","evaluated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "evaluations"."not_evaluated_because" is null and "evaluations"."evaluated_at" is not null;