// `node scripts/tool-reference.ts` writes docs/mcp-tools.md from the tool definitions; with
// `--check` it writes nothing and fails if the file is stale.
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { AnyTool, Caller } from "../src/doors/mcp/define-tool.ts";
import { TOOLS } from "../src/doors/mcp/tools.ts";

export const TOOL_REFERENCE = new URL("../docs/mcp-tools.md", import.meta.url);

/** The part of JSON Schema that our tools use. */
const schemaShape = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().default(""),
  default: z.json().optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  minLength: z.number().default(0),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).default([]),
  get properties() {
    return z.record(z.string(), schemaShape).default({});
  },
  get items() {
    return schemaShape.optional();
  },
  get anyOf() {
    return z.array(schemaShape).optional();
  },
});
type Schema = z.infer<typeof schemaShape>;
type Field = { readonly path: string; readonly schema: Schema; readonly isRequired: boolean };

const WHO: Record<Caller, string> = {
  client: "the main agent",
  orchestrator: "an agent with the role `orchestrator`",
  executor: "the agent that executes a task",
  agent: "every other agent",
  person: "a main agent with a person's token",
};

export function renderToolReference(tools: readonly AnyTool[] = TOOLS): string {
  return `# MCP tools

Generated from \`src/doors/mcp/tools\` by \`node scripts/tool-reference.ts\`; do not edit.
What the tools mean, and what each one refuses, is in the [specification](spec.md#mcp-tools).

Every answer is the same JSON twice, as text and as \`structuredContent\`; clients show their model one of
them. \`tools/list\` names only what an answer always has; here is all of it. A refusal has \`isError\` and the text
\`{"error":true,"code":…,"message":…,"hint":…}\`. An argument that is not listed is refused. Every
answer to an agent with unread notices begins with a \`notification\`: call get_notifications then.

${tools.map(({ name }) => `[\`${name}\`](#${name})`).join(" · ")}

${tools.map(renderTool).join("\n")}`;
}

function renderTool(tool: AnyTool): string {
  const { readOnly, idempotent } = tool.hints;
  const input = fieldsOf(schemaOf(tool.input, "input"));
  const output = fieldsOf(schemaOf(tool.output, "output")).filter(
    ({ path }) => path !== "notification",
  );
  return `## ${tool.name}

${tool.description}

For ${tool.callers.map((caller) => WHO[caller]).join(", ")}. ${readOnly ? "Read-only" : "Writes"}, ${idempotent ? "idempotent" : "not idempotent"}.

${table(["parameter", "type", "required", "default", "meaning"], input.map(parameterRow))}
${table(["answer", "type", "always there", "meaning"], output.map(answerRow))}`;
}

function parameterRow({ path, schema, isRequired }: Field): string[] {
  const fallback = schema.default === undefined ? "" : code(schema.default);
  return [`\`${path}\``, typeOf(schema), isRequired ? "yes" : "", fallback, schema.description];
}

function answerRow({ path, schema, isRequired }: Field): string[] {
  return [`\`${path}\``, typeOf(schema), isRequired ? "yes" : "", schema.description];
}

function table(head: readonly string[], rows: readonly string[][]): string {
  if (rows.length === 0) return "No parameters.\n";
  return [head, head.map(() => "---"), ...rows].map(tableRow).join("");
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** Nested objects become paths: \`agents[].role\`, \`result.status\`. */
function fieldsOf(schema: Schema, prefix = ""): Field[] {
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const inner = property.items ?? objectIn(property);
    return [
      { path, schema: property, isRequired: schema.required.includes(name) },
      ...fieldsOf(inner, `${path}${property.items ? "[]" : ""}.`),
    ];
  });
}

function objectIn(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type === "object") ?? schema;
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map(code).join(", ");
  if (schema.const !== undefined) return code(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.items) return `${listOf(schema)} of ${typeOf(schema.items)}`;
  if (schema.type === undefined) return "any";
  return [schema.type].flat().join(" or ") + limitsOf(schema);
}

function listOf({ maxItems }: Schema): string {
  return maxItems === undefined ? "list" : `list (at most ${maxItems})`;
}

function limitsOf(schema: Schema): string {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength } = schema;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  return [
    least === undefined ? "" : `, at least ${least}`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? "" : `, at most ${maximum}`,
    minLength === 0 ? "" : ", not empty",
    maxLength === undefined ? "" : `, at most ${maxLength} characters`,
  ].join("");
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function schemaOf(schema: z.ZodObject, io: "input" | "output"): Schema {
  return schemaShape.parse(z.toJSONSchema(schema, { io }));
}

if (import.meta.main) {
  const wanted = renderToolReference();
  if (!process.argv.includes("--check")) {
    writeFileSync(TOOL_REFERENCE, wanted);
  } else if (readFileSync(TOOL_REFERENCE, "utf8") !== wanted) {
    console.error("docs/mcp-tools.md is stale: run `node scripts/tool-reference.ts`.");
    process.exitCode = 1;
  }
}
