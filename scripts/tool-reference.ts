// `node scripts/tool-reference.ts` writes docs/mcp-tools.md and docs/mcp-tools.ja.md from the tool
// definitions, the latter with the meanings in words-ja/tools.ts.
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { LOCALES, type Locale } from "../src/domain/locale.ts";
import type { AnyTool } from "../src/doors/mcp/define-tool.ts";
import { TOOLS } from "../src/doors/mcp/tools.ts";
import { FIELD_MEANINGS, TOOL_MEANINGS } from "./words-ja/tools.ts";

export function toolPage(locale: Locale): URL {
  return new URL(`../docs/mcp-tools${locale === "ja" ? ".ja" : ""}.md`, import.meta.url);
}

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

const TEXTS = {
  en: {
    intro: `# MCP tools

Generated from \`src/doors/mcp/tools\` by \`node scripts/tool-reference.ts\`; do not edit. [日本語](mcp-tools.ja.md)

What the tools mean, and what each one refuses, is in the [specification](spec.md#mcp-tools).

Every answer is the same JSON twice, as text and as \`structuredContent\`; clients show their model one of
them. \`tools/list\` names only what an answer always has; here is all of it. A refusal has \`isError\` and the text
\`{"error":true,"code":…,"message":…,"hint":…}\`. An argument that is not listed is refused. Every
answer to an agent with unread notifications begins with a \`notification\`: call get_notifications then.`,
    callers: {
      client: "the main agent",
      orchestrator: "an agent with the role `orchestrator`",
      executor: "the agent that executes a task",
      agent: "every other agent",
      person: "a main agent with a person's token",
    },
    facts: (callers: readonly string[], isReadOnly: boolean, isIdempotent: boolean) =>
      `For ${callers.join(", ")}. ${isReadOnly ? "Read-only" : "Writes"}, ${isIdempotent ? "idempotent" : "not idempotent"}.`,
    parameters: ["parameter", "type", "required", "default", "meaning"],
    answers: ["answer", "type", "always there", "meaning"],
    none: "No parameters.",
    yes: "yes",
    or: " or ",
    any: "any",
    least: (least: number) => `, at least ${least}`,
    most: (most: number) => `, at most ${most}`,
    notEmpty: ", not empty",
    length: (most: number) => `, at most ${most} characters`,
    list: (item: string, most?: number) =>
      `list${most === undefined ? "" : ` (at most ${most})`} of ${item}`,
  },
  ja: {
    intro: `# MCP ツール

\`src/doors/mcp/tools\` から \`node scripts/tool-reference.ts\` で作られます。直接編集しないでください。 [English](mcp-tools.md)

各ツールの意味と、何を拒否するかは[仕様](spec.ja.md#mcp-ツール)にあります。ツールの説明は英語でモデルに渡されます。この日本語は読者のためのものです。

応答は同じ JSON を、テキストと \`structuredContent\` の 2 通りで返します。クライアントはどちらか一方をモデルに見せます。\`tools/list\` に載るのは応答に必ず含まれる項目だけで、このページにはすべて載せています。拒否には \`isError\` と \`{"error":true,"code":…,"message":…,"hint":…}\` というテキストが付きます。ここにない引数は拒否されます。未読の通知があるエージェントへの応答は、どれも \`notification\` で始まります。そのときは get_notifications を呼び出します。`,
    callers: {
      client: "メインエージェント",
      orchestrator: "職種 `orchestrator` のエージェント",
      executor: "タスクを実行するエージェント",
      agent: "ほかのすべてのエージェント",
      person: "利用者のトークンを持つメインエージェント",
    },
    facts: (callers: readonly string[], isReadOnly: boolean, isIdempotent: boolean) =>
      `使えるのは${callers.join("、")}です。${isReadOnly ? "読み取り専用" : "書き込みあり"}、${isIdempotent ? "冪等" : "冪等ではない"}。`,
    parameters: ["引数", "型", "必須", "既定値", "意味"],
    answers: ["応答", "型", "常にある", "意味"],
    none: "引数はありません。",
    yes: "はい",
    or: " または ",
    any: "何でも",
    least: (least: number) => `、${least} 以上`,
    most: (most: number) => `、${most} 以下`,
    notEmpty: "、空は不可",
    length: (most: number) => `、${most} 文字まで`,
    list: (item: string, most?: number) =>
      `${item} のリスト${most === undefined ? "" : `（${most} 個まで）`}`,
  },
} as const;

export function renderToolReference(locale: Locale, tools: readonly AnyTool[] = TOOLS): string {
  return `${TEXTS[locale].intro}

${tools.map(({ name }) => `[\`${name}\`](#${name})`).join(" · ")}

${tools.map((tool) => renderTool(tool, locale)).join("\n")}`;
}

function renderTool(tool: AnyTool, locale: Locale): string {
  const texts = TEXTS[locale];
  const { readOnly, idempotent } = tool.hints;
  const input = fieldsOf(schemaOf(tool.input, "input"));
  const output = fieldsOf(schemaOf(tool.output, "output")).filter(
    ({ path }) => path !== "notification",
  );
  const callers = tool.callers.map((caller) => texts.callers[caller]);
  const parameters = input.map((field) => parameterRow(field, locale));
  return `## ${tool.name}

${locale === "ja" ? translated(TOOL_MEANINGS, tool.name) : tool.description}

${texts.facts(callers, readOnly, idempotent)}

${parameters.length === 0 ? `${texts.none}\n` : table(texts.parameters, parameters)}
${table(
  texts.answers,
  output.map((field) => answerRow(field, locale)),
)}`;
}

/** A tool or a field without a Japanese text fails here, so that the page has no gaps. */
function translated(meanings: Readonly<Record<string, string>>, key: string): string {
  const meaning = meanings[key];
  if (meaning === undefined) throw new Error(`scripts/words-ja/tools.ts lacks “${key}”.`);
  return meaning;
}

function meaningOf({ description }: Schema, locale: Locale): string {
  if (description === "" || locale === "en") return description;
  return translated(FIELD_MEANINGS, description);
}

function parameterRow({ path, schema, isRequired }: Field, locale: Locale): string[] {
  const fallback = schema.default === undefined ? "" : code(schema.default);
  const required = isRequired ? TEXTS[locale].yes : "";
  return [`\`${path}\``, typeOf(schema, locale), required, fallback, meaningOf(schema, locale)];
}

function answerRow({ path, schema, isRequired }: Field, locale: Locale): string[] {
  const always = isRequired ? TEXTS[locale].yes : "";
  return [`\`${path}\``, typeOf(schema, locale), always, meaningOf(schema, locale)];
}

function table(head: readonly string[], rows: readonly string[][]): string {
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

function typeOf(schema: Schema, locale: Locale): string {
  const { or, list, any } = TEXTS[locale];
  if (schema.enum) return schema.enum.map(code).join(", ");
  if (schema.const !== undefined) return code(schema.const);
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, locale)).join(or);
  if (schema.items) return list(typeOf(schema.items, locale), schema.maxItems);
  if (schema.type === undefined) return any;
  return [schema.type].flat().join(or) + limitsOf(schema, locale);
}

function limitsOf(schema: Schema, locale: Locale): string {
  const texts = TEXTS[locale];
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength } = schema;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  return [
    least === undefined ? "" : texts.least(least),
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? "" : texts.most(maximum),
    minLength === 0 ? "" : texts.notEmpty,
    maxLength === undefined ? "" : texts.length(maxLength),
  ].join("");
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function schemaOf(schema: z.ZodObject, io: "input" | "output"): Schema {
  return schemaShape.parse(z.toJSONSchema(schema, { io }));
}

if (import.meta.main) {
  for (const locale of LOCALES) writeFileSync(toolPage(locale), renderToolReference(locale));
}
