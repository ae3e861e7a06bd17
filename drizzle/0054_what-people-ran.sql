CREATE TABLE "query_history" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "query_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"data_source_id" integer,
	"sql" text NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL,
	"took_ms" integer NOT NULL,
	"row_count" integer,
	"problem" text
);
--> statement-breakpoint
ALTER TABLE "query_history" ADD CONSTRAINT "query_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_history" ADD CONSTRAINT "query_history_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "query_history_user_idx" ON "query_history" USING btree ("user_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "query_history_ran_idx" ON "query_history" USING btree ("ran_at");--> statement-breakpoint
CREATE INDEX "query_history_source_idx" ON "query_history" USING btree ("data_source_id") WHERE "query_history"."data_source_id" is not null;