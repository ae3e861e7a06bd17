ALTER TABLE "table_scores" ADD COLUMN "history" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
UPDATE "table_scores" t SET "history" = (
	SELECT coalesce(jsonb_agg(jsonb_build_object('evaluatedAt', to_char(r."evaluated_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'score', r."overall_score") ORDER BY r."evaluated_at", r."id"), '[]')
	FROM (
		SELECT e."id", e."evaluated_at", e."overall_score"
		FROM "evaluations" e
		JOIN "contracts" c ON c."id" = e."contract_id" AND c."archived_at" IS NULL
			AND (c."data_source_id", c."schema_name", c."table_name") = (t."data_source_id", t."schema_name", t."table_name")
		WHERE (e."data_source_id", e."schema_name", e."table_name") = (t."data_source_id", t."schema_name", t."table_name")
			AND e."status" = 'Completed'
		ORDER BY e."evaluated_at" DESC, e."id" DESC
		LIMIT 30
	) r
);
