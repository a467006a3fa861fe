import { fieldsOf, isRecord, textOf, type Fields } from "../../../src/base/narrow.ts";
import type { Content, SlackView } from "./shapes.ts";

/** What a person chooses or types: a text, the value of an option, or several of them. */
export type Choice = string | readonly string[];

export type FoundElement = {
  readonly element: Fields;
  readonly block: Fields;
  /** The number of the attachment that the block is in. */
  readonly attachmentId?: number;
};

/** Finds an interactive element of a message as it is shown. */
export function findElement(content: Content, actionId: string): FoundElement | undefined {
  const inside = (content.attachments ?? []).flatMap((attachment, index) =>
    listOf(attachment["blocks"]).map((block) => ({ block, attachmentId: index + 1 })),
  );
  const top = (content.blocks ?? []).map((block) => ({ block }));
  return firstWith([...top, ...inside], actionId);
}

export function findInView({ view }: SlackView, actionId: string): FoundElement | undefined {
  const blocks = listOf(view["blocks"]).map((block) => ({ block }));
  return firstWith(blocks, actionId);
}

type Place = Omit<FoundElement, "element">;

function firstWith(places: readonly Place[], actionId: string): FoundElement | undefined {
  for (const place of places) {
    const element = elementsOf(place.block).find((each) => each["action_id"] === actionId);
    if (element) return { ...place, element };
  }
  return undefined;
}

/** Every interactive element of a block: buttons, accessories, inputs. */
export function elementsOf(block: Fields): readonly Fields[] {
  const { accessory, element, elements } = block;
  return [accessory, element].filter(isRecord).concat(listOf(elements));
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The ids of all buttons and menus that a message shows, from top to bottom. */
export function actionIdsOf(content: Content): readonly string[] {
  const inside = (content.attachments ?? []).flatMap(({ blocks }) => listOf(blocks));
  return [...(content.blocks ?? []), ...inside]
    .flatMap(elementsOf)
    .flatMap((each) => textOf(each["action_id"]) ?? []);
}

/** The entry of `actions` in the payload of a click. */
export function actionOf({ element, block }: FoundElement, at: string, choice?: Choice): Fields {
  const { type, action_id, text, value, style, confirm } = element;
  const shared = { type, action_id, block_id: block["block_id"], action_ts: at };
  if (type === "button") {
    return {
      ...shared,
      text,
      ...(value !== undefined && { value }),
      ...(style !== undefined && { style }),
      ...(confirm !== undefined && { confirm }),
    };
  }
  return { ...shared, ...stateOf(element, choice) };
}

/** The value of an input, as `view.state.values` has it. */
export function stateOf(element: Fields, choice?: Choice): Fields {
  const type = textOf(element["type"]) ?? "";
  const chosen = choice === undefined ? [] : [choice].flat();
  const [one = null] = chosen;
  if (type.endsWith("text_input")) return { type, value: one ?? element["initial_value"] ?? null };
  if (type.includes("static_select") || type === "overflow" || type === "radio_buttons") {
    const options = chosen.map((value) => optionOf(element, value));
    const initial = element["initial_option"] ?? null;
    return type.startsWith("multi_")
      ? { type, selected_options: options }
      : { type, selected_option: options[0] ?? initial };
  }
  if (type === "checkboxes") {
    return { type, selected_options: chosen.map((value) => optionOf(element, value)) };
  }
  if (type === "users_select") return { type, selected_user: one };
  if (type === "multi_users_select") return { type, selected_users: chosen };
  if (type.includes("conversations_select")) return { type, selected_conversation: one };
  if (type === "datepicker") return { type, selected_date: one ?? element["initial_date"] ?? null };
  throw new Error(`The kit cannot fill in a ${type}. Add it to stateOf().`);
}

function optionOf(element: Fields, value: string): Fields {
  const groups = listOf(element["option_groups"]).flatMap(({ options }) => listOf(options));
  const found = [...listOf(element["options"]), ...groups].find((each) => each["value"] === value);
  if (!found) throw new Error(`The menu has no option with the value ${value}.`);
  return found;
}

/**
 * Fills in the inputs of a modal, by action id or block id. Like Slack's client it does not submit
 * an input that is empty, too short or too long.
 */
export function fillIn({ view }: SlackView, values: Readonly<Record<string, Choice>>): Fields {
  const inputs = listOf(view["blocks"]).filter(({ type }) => type === "input");
  const known = inputs.flatMap((block) => [blockId(block), actionId(block)]);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`The modal has no input ${unknown.join(", ")}.`);
  const filled = inputs.map((block) => {
    const element = fieldsOf(block["element"]);
    const state = stateOf(element, values[actionId(block)] ?? values[blockId(block)]);
    checkInput(block, element, state);
    return [blockId(block), { [actionId(block)]: state }] as const;
  });
  return Object.fromEntries(filled);
}

const blockId = (block: Fields): string => textOf(block["block_id"]) ?? "";

const actionId = (block: Fields): string => textOf(fieldsOf(block["element"])["action_id"]) ?? "";

function checkInput(block: Fields, element: Fields, state: Fields): void {
  const [, value] = Object.values(state);
  const isEmpty = value === null || value === "" || (Array.isArray(value) && value.length === 0);
  const problem = isEmpty
    ? block["optional"] !== true && "is required"
    : typeof value === "string" && lengthProblem(element, value);
  if (problem) throw new Error(`Slack would not submit the modal: ${blockId(block)} ${problem}.`);
}

function lengthProblem(element: Fields, value: string): string | undefined {
  const { min_length: least = 0, max_length: most = 3_000 } = element;
  if (value.length < Number(least)) return `needs ${String(least)} characters`;
  if (value.length > Number(most)) return `may have ${String(most)} characters`;
  return undefined;
}
