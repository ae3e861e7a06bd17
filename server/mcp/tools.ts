import type { AnyTRPCProcedure } from "@trpc/server";
import { z } from "zod";
import { appRouter } from "../app-router.ts";
import { grants, type Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { shapeOf } from "../rest-routes.ts";
import type { ProcedureMeta, ToolMeta } from "../trpc.ts";
import { jsonSchemaOf, type ObjectSchema } from "./json-schema.ts";

/** A tool, read off a procedure's `meta.tool`: there is no other list of them. */
export type Tool = ToolMeta & {
  /** `dataQuality.contracts`: where the router has the procedure. */
  procedure: string;
  permission: Permission;
  /** What the procedure calls each argument. */
  properties: ReadonlyMap<string, string>;
  /** Whether the procedure asks for the project itself. */
  takesProject: boolean;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
};

const projectId = {
  type: "integer",
  description: "Needed where you can see several",
};

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The word that tools use is `datasource`. */
const argumentName = (property: string) => snakeCase(property.replace(/^dataSource/, "datasource"));

function toolOf(procedure: string, { _def }: AnyTRPCProcedure): Tool[] {
  const definition = _def as { meta?: ProcedureMeta; inputs?: unknown[]; output?: unknown };
  const { tool, permission = "anonymous" } = definition.meta ?? {};
  if (!tool) return [];
  const input = (definition.inputs?.[0] as z.ZodType | undefined) ?? z.strictObject({});
  const names = Object.keys(shapeOf(input));
  const takesProject = names.includes("projectId");
  const properties = new Map(
    names
      .filter((name) => name !== "projectId")
      .map((name) => [tool.argumentNames?.[name] ?? argumentName(name), name]),
  );
  return [
    {
      ...tool,
      ...{ procedure, permission, properties, takesProject },
      inputSchema: inputSchemaOf(jsonSchemaOf(input, "input"), properties),
      outputSchema: outputSchemaOf(jsonSchemaOf(definition.output as z.ZodType, "output"), tool.leavesOut),
    },
  ];
}

function inputSchemaOf(schema: ObjectSchema, names: ReadonlyMap<string, string>): ObjectSchema {
  const renamed = [...names].map(([argument, property]) => [argument, schema.properties[property] ?? {}]);
  const required = [...names].filter(([, property]) => schema.required?.includes(property));
  return {
    ...schema,
    properties: { ...Object.fromEntries(renamed), project_id: projectId },
    required: required.map(([argument]) => argument),
    additionalProperties: false,
  };
}

/** Without the properties of a list's items that the tool leaves out, and what only these refer to. */
function outputSchemaOf(schema: ObjectSchema, leavesOut: readonly string[] = []): ObjectSchema {
  if (leavesOut.length === 0) return schema;
  const { items } = schema.properties as { items: { items: { $ref: string } } };
  const name = items.items.$ref.split("/").at(-1) ?? "";
  const item = schema.$defs?.[name] as ObjectSchema;
  const properties = Object.entries(item.properties).filter(([property]) => !leavesOut.includes(property));
  const shown = { type: "object", properties: Object.fromEntries(properties) };
  const { $defs = {}, ...root } = {
    ...schema,
    properties: { ...schema.properties, items: { type: "array", items: shown } },
  };
  const used = Object.entries($defs).filter(([definition]) =>
    JSON.stringify(root).includes(`/${definition}"`),
  );
  return used.length > 0 ? { ...root, $defs: Object.fromEntries(used) } : root;
}

const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>;

/** Every tool, in the router's order. */
export const tools: readonly Tool[] = Object.entries(procedures).flatMap(([name, procedure]) =>
  toolOf(name, procedure),
);

/** The tools that the caller may call; there are no others for them. */
export const toolsFor = (principal: Principal): readonly Tool[] =>
  tools.filter(({ permission }) => grants(permission, principal));

/** A tool as it is listed. */
export function describedTool({ name, title, description, annotations, inputSchema, outputSchema }: Tool) {
  const hints = { ...annotations, destructiveHint: false, openWorldHint: false };
  return { name, title, description, inputSchema, outputSchema, annotations: { title, ...hints } };
}
