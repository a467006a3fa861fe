import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { isRecord } from "../../../src/base/narrow.ts";

/** Checks messages and views as Slack does, with the schema of its own types and its limits. */

const SCHEMA: Readonly<Record<string, unknown>> & {
  readonly definitions: Readonly<Record<string, unknown>>;
} = JSON.parse(readFileSync(new URL("block-kit.schema.json", import.meta.url), "utf8"));

// Slack does not document what it counts; UTF-16 units (`unicode: false`) are the strictest. Ajv
// logs that this option is deprecated.
const ajv = new Ajv({ strict: false, allErrors: true, unicode: false, logger: false });
ajv.addSchema(SCHEMA, "block-kit");

const BLOCKS = new Map(
  Object.entries(SCHEMA.definitions).flatMap(([name, definition]) => {
    const type = name.endsWith("Block") ? typeOf(definition) : undefined;
    return type === undefined ? [] : [[type, validatorOf(name)] as const];
  }),
);
const VIEWS = { modal: validatorOf("ModalView"), home: validatorOf("HomeView") };

const MAX_BLOCKS = 50;
const MAX_VIEW_BLOCKS = 100;
const MAX_VIEW_BYTES = 250_000;
/** Slack refuses a message at 11,000 to 13,200 characters in all of its blocks. */
const MAX_MESSAGE_TEXT = 10_000;

/** Problems of the blocks of a message. */
export function checkBlocks(blocks: readonly unknown[]): readonly string[] {
  const units = textsOf(blocks).reduce((sum, { text }) => sum + text.length, 0);
  return [
    ...(blocks.length > MAX_BLOCKS ? [`${blocks.length} blocks`] : []),
    ...(units > MAX_MESSAGE_TEXT ? [`${units} UTF-16 units of text in one message`] : []),
    ...blocks.flatMap((block, index) => checkBlock(block, `blocks[${index}]`)),
  ];
}

/** Problems of a modal or an App Home. */
export function checkView(view: unknown): readonly string[] {
  const { type, blocks } = isRecord(view) ? view : {};
  if ((type !== "modal" && type !== "home") || !Array.isArray(blocks)) return ["not a view"];
  const validate = VIEWS[type];
  return [
    ...(validate(view) ? [] : problems(validate, type)),
    ...(blocks.length > MAX_VIEW_BLOCKS ? [`${blocks.length} blocks`] : []),
    ...(JSON.stringify(view).length > MAX_VIEW_BYTES ? ["the view is too large"] : []),
    ...blocks.flatMap((block, index) => checkBlock(block, `blocks[${index}]`)),
  ];
}

/** A text that Slack shows. */
export type ShownText = { readonly text: string; readonly isMrkdwn: boolean };

/** All texts of blocks or a view, at any depth. */
export function textsOf(value: unknown): readonly ShownText[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isRecord(value)) return [];
  const { type, text } = value;
  if (typeof text === "string") return [{ text, isMrkdwn: type === "mrkdwn" }];
  return Object.values(value).flatMap(textsOf);
}

function checkBlock(block: unknown, at: string): readonly string[] {
  const type = isRecord(block) && typeof block["type"] === "string" ? block["type"] : "";
  const validate = BLOCKS.get(type);
  if (validate === undefined) return [`${at}: unknown block ${type}`];
  return validate(block) ? [] : problems(validate, `${at} (${type})`);
}

function problems({ errors }: ValidateFunction, at: string): readonly string[] {
  return (errors ?? []).map(
    ({ instancePath, message }: ErrorObject) => `${at}${instancePath} ${message}`,
  );
}

function typeOf(definition: unknown): string | undefined {
  const properties = isRecord(definition) ? definition["properties"] : undefined;
  const type = isRecord(properties) ? properties["type"] : undefined;
  const value = isRecord(type) ? type["const"] : undefined;
  return typeof value === "string" ? value : undefined;
}

function validatorOf(name: string): ValidateFunction {
  return ajv.compile({ $ref: `block-kit#/definitions/${name}` });
}
