CREATE TABLE "rule_scores" (
	"evaluation_id" integer NOT NULL,
	"key" uuid NOT NULL,
	"contract_id" integer NOT NULL,
	"evaluated_at" timestamp (3) with time zone NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"type" "rule_type" NOT NULL,
	"passed" boolean NOT NULL,
	"score" numeric(5, 2) NOT NULL,
	"measured" numeric,
	CONSTRAINT "rule_scores_evaluation_id_key_pk" PRIMARY KEY("evaluation_id","key")
);
--> statement-breakpoint
ALTER TABLE "evaluations" ADD COLUMN "rules_running" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "rule_scores" ADD CONSTRAINT "rule_scores_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_scores" ADD CONSTRAINT "rule_scores_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rule_scores_series_idx" ON "rule_scores" USING btree ("contract_id","key","passed","evaluated_at" DESC NULLS FIRST,"evaluation_id" DESC NULLS FIRST);--> statement-breakpoint
INSERT INTO "rule_scores" ("evaluation_id", "key", "contract_id", "evaluated_at", "position", "name", "type", "passed", "score", "measured")
SELECT r."evaluation_id", u."key", u."contract_id", e."evaluated_at", r."position", u."name", u."type", r."passed", r."score",
	-- The number at the beginning of what was shown, where one was; "every value found" and the like are no failures.
	CASE
		WHEN u."type" = 'CustomSql' THEN substring(r."actual_value" from '^[+-]?[0-9]{1,20}(?:[.][0-9]{1,8})?$')::numeric
		WHEN r."actual_value" ~ '^[0-9]' THEN replace(substring(r."actual_value" from '^[0-9][0-9,]*(?:[.][0-9]+)?'), ',', '')::numeric
		WHEN r."passed" AND u."type" IN ('Uniqueness', 'Referential', 'Range', 'Pattern') THEN 0
	END
FROM "rule_results" r
JOIN "rules" u ON u."id" = r."rule_id"
JOIN "evaluations" e ON e."id" = r."evaluation_id"
WHERE e."status" = 'Completed' AND e."evaluated_at" IS NOT NULL;
