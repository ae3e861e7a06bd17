import {
  type Choices,
  type Merged,
  mergeFields,
  mergeKeyed,
  mergeSet,
  mergeValue,
  type Sides,
} from "@/components/edits/three-way.ts";
import type { ContractForm, RuleForm } from "./contract-form.ts";

/** Merges two people's changes to a contract. Pure. */
export function mergeContracts(sides: Sides<ContractForm>, choices: Choices): Merged<ContractForm> {
  const of = <Part>(part: (form: ContractForm) => Part): Sides<Part> => ({
    base: part(sides.base),
    mine: part(sides.mine),
    theirs: part(sides.theirs),
  });
  // A table belongs to its data source, so they merge as one value.
  const target = mergeValue(
    "target",
    of(({ dataSourceId, schemaName, tableName }) => ({ dataSourceId, schemaName, tableName })),
    choices,
  );
  const fields = mergeFields(
    (name) => name,
    of(
      ({ dataSourceId: _, schemaName: __, tableName: ___, recipientIds: ____, rules: _____, ...fields }) =>
        fields,
    ),
    choices,
  );
  const recipients = mergeSet(
    "recipientIds",
    of(({ recipientIds }) => recipientIds),
  );
  const rules = mergeKeyed<RuleForm>(
    {
      path: "rules",
      sides: of((form) => form.rules),
      keyOf: ({ key }) => key,
      mergeItem: (path, rule) => mergeRules(path, rule, choices),
    },
    choices,
  );
  return {
    value: { ...fields.value, ...target.value, recipientIds: recipients.value, rules: rules.value },
    differences: [target, fields, recipients, rules].flatMap(({ differences }) => differences),
  };
}

/** A rule's type and configuration merge as one value: what it checks. */
function mergeRules(
  path: string,
  { base, mine, theirs }: Sides<RuleForm>,
  choices: Choices,
): Merged<RuleForm> {
  const fieldsOf = ({ key: _, type, configuration, ...fields }: RuleForm) => ({
    ...fields,
    check: { type, configuration },
  });
  const sides = { base: fieldsOf(base), mine: fieldsOf(mine), theirs: fieldsOf(theirs) };
  const merged = mergeFields((name) => `${path}.${name}`, sides, choices);
  const { check, ...fields } = merged.value;
  return {
    value: { ...(mine.key !== undefined && { key: mine.key }), ...fields, ...check },
    differences: merged.differences,
  };
}
