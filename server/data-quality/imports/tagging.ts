import { catalogTags, type PlannedTags, planTags } from "./plan-tags.ts";
import type { EarlierTable, PlanOptions, TableName } from "./planned.ts";
import type { Suite, SuiteTable } from "./suite.ts";

/** Tags of the tables of one import. A table may come from several nodes, such as a model and a source. */
export class Tagging {
  readonly #options: PlanOptions;
  readonly #wanted = new Map<string, readonly string[]>();
  /** Of tables that were planned already. */
  readonly #planned = new Map<string, readonly string[]>();
  readonly #unfit = new Set<string>();
  readonly #full = new Set<string>();

  constructor({ tables }: Suite, options: PlanOptions) {
    this.#options = options;
    for (const [key, same] of Map.groupBy(tables, (table) => keyOfTable(this.#placeOf(table)))) {
      const { fitting, others } = catalogTags(same.flatMap((table) => table.catalogTags));
      this.#wanted.set(key, fitting);
      for (const other of others) this.#unfit.add(other);
    }
  }

  plan(table: SuiteTable, earlier: EarlierTable | undefined): PlannedTags {
    const place = this.#placeOf(table);
    const key = keyOfTable(place);
    const { tagsOf, isTaggedElsewhere, again } = this.#options;
    // What is remembered of a table that has moved since is about another one.
    const isSamePlace = earlier !== undefined && keyOfTable(earlier) === key;
    const planned = planTags({
      now: this.#planned.get(key) ?? tagsOf(place),
      wanted: this.#wanted.get(key) ?? [],
      remembered: isSamePlace ? earlier.tags : {},
      again,
      isElsewhere: (tag) => isTaggedElsewhere(place, tag),
    });
    this.#planned.set(key, planned.tags);
    for (const tag of planned.leftOut) this.#full.add(`${place.tableName}: ${tag}`);
    return planned;
  }

  warnings(): string[] {
    const listed = (all: ReadonlySet<string>) =>
      `${[...all].slice(0, 10).join(", ")}${all.size > 10 ? `, and ${all.size - 10} more` : ""}`;
    return [
      ...(this.#unfit.size === 0
        ? []
        : [`Tags with signs that tags of the catalog cannot have are left out: ${listed(this.#unfit)}`]),
      ...(this.#full.size === 0
        ? []
        : [`Tables with too many tags do not get all of them: ${listed(this.#full)}`]),
    ];
  }

  #placeOf({ schemaName, tableName }: SuiteTable): TableName {
    return { schemaName: schemaName ?? this.#options.defaultSchema, tableName };
  }
}

const keyOfTable = ({ schemaName, tableName }: TableName) => JSON.stringify([schemaName, tableName]);
