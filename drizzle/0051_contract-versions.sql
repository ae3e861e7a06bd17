CREATE TABLE "contract_versions" (
	"contract_id" integer NOT NULL,
	"number" integer NOT NULL,
	"revision" integer NOT NULL,
	"content" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"restored_from" integer,
	"principal_kind" "principal_kind",
	"principal_id" integer,
	"principal_name" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contract_versions_contract_id_number_pk" PRIMARY KEY("contract_id","number")
);
--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "evaluations" ADD COLUMN "version" integer;--> statement-breakpoint
ALTER TABLE "contract_versions" ADD CONSTRAINT "contract_versions_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- What each contract is like now is its first version, by whoever edited it last, if that is known.
INSERT INTO "contract_versions" ("contract_id", "number", "revision", "content", "changes", "principal_kind", "principal_id", "principal_name", "created_at")
SELECT c."id", 1, c."revision", jsonb_build_object(
    'name', c."name", 'description', c."description", 'dataSourceId', c."data_source_id",
    'schemaName', c."schema_name", 'tableName', c."table_name", 'cronExpression', c."cron_expression",
    'timezone', c."timezone", 'failureThreshold', c."failure_threshold", 'enabled', c."enabled",
    'alertOnFailure', c."alert_on_failure", 'reminderHours', c."reminder_hours", 'createTasks', c."create_tasks", 'samples', c."samples",
    'recipientIds', coalesce((
      SELECT jsonb_agg(r."recipient_id" ORDER BY r."recipient_id")
      FROM "contract_recipients" AS r WHERE r."contract_id" = c."id"), '[]'),
    'rules', coalesce((
      SELECT jsonb_agg(jsonb_build_object(
        'key', r."key", 'name', r."name", 'type', r."type", 'column', r."column", 'severity', r."severity",
        'weight', r."weight", 'enabled', r."enabled", 'configuration', r."configuration") ORDER BY r."position")
      FROM "rules" AS r WHERE r."contract_id" = c."id"), '[]')),
  '[]', e."principal_kind", e."principal_id", e."principal_name", coalesce(e."at", c."updated_at")
FROM "contracts" AS c
LEFT JOIN "edits" AS e ON e."kind" = 'Contract' AND e."object_id" = c."id" AND e."revision" = c."revision";
