ALTER TABLE "subscription_day" ADD COLUMN "anomalies" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "anomalies" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "subscription_day" AS d SET "anomalies" = counted."anomalies"
FROM (
	SELECT "subscription_id", "day", sum(sum("found")) OVER (PARTITION BY "subscription_id" ORDER BY "day") AS "anomalies"
	FROM (
		SELECT "subscription_id", "day", 0 AS "found" FROM "subscription_day"
		UNION ALL
		SELECT "subscription_id", ("detected_at" AT TIME ZONE 'UTC')::date, 1 FROM "anomalies"
	) AS each
	GROUP BY "subscription_id", "day"
) AS counted
WHERE counted."subscription_id" = d."subscription_id" AND counted."day" = d."day" AND counted."anomalies" > 0;--> statement-breakpoint
UPDATE "subscription_state" AS s SET "anomalies" = counted."anomalies"
FROM (SELECT "subscription_id", count(*) AS "anomalies" FROM "anomalies" GROUP BY "subscription_id") AS counted
WHERE counted."subscription_id" = s."subscription_id";
