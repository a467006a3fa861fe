import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { schemaSource, SCHEMA_FILE } from "../../../scripts/block-kit-schema.ts";
import { checkBlocks, checkView } from "./block-kit.ts";

const plain = (text: string) => ({ type: "plain_text", text });
const mrkdwn = (text: string) => ({ type: "mrkdwn", text });
const button = (more: object) => ({ type: "button", text: plain("x"), action_id: "a", ...more });
const actions = (...elements: object[]) => ({ type: "actions", elements });
const dialog = { title: plain("x"), text: plain("x"), confirm: plain("x"), deny: plain("x") };
const x = (count: number) => "x".repeat(count);

test("the schema is made of the installed types: node scripts/block-kit-schema.ts", () => {
  expect(JSON.parse(readFileSync(SCHEMA_FILE, "utf8")).$comment).toBe(schemaSource());
});

test.each([
  ["a header of 151", { type: "header", text: plain(x(151)) }],
  ["a header of mrkdwn", { type: "header", text: mrkdwn("x") }],
  ["a header of 76 emoji", { type: "header", text: plain("🚀".repeat(76)) }],
  ["a section of 3,001", { type: "section", text: mrkdwn(x(3_001)) }],
  ["an empty section", { type: "section", text: mrkdwn("") }],
  ["a field of 2,001", { type: "section", fields: [mrkdwn(x(2_001))] }],
  ["11 fields", { type: "section", fields: Array.from({ length: 11 }, () => mrkdwn("x")) }],
  ["a button of 76", actions(button({ text: plain(x(76)) }))],
  ["a value of 2,001", actions(button({ value: x(2_001) }))],
  ["an action id of 256", actions(button({ action_id: x(256) }))],
  ["26 buttons", actions(...Array.from({ length: 26 }, () => button({})))],
  ["11 elements", { type: "context", elements: Array.from({ length: 11 }, () => mrkdwn("x")) }],
  ["a confirm title of 101", actions(button({ confirm: { ...dialog, title: plain(x(101)) } }))],
  ["a confirm button of 31", actions(button({ confirm: { ...dialog, deny: plain(x(31)) } }))],
  ["a misspelt property", { type: "section", txt: mrkdwn("x") }],
  ["an unknown block", { type: "sections", text: mrkdwn("x") }],
])("a message with %s is refused", (_, block) => {
  expect(checkBlocks([block])).not.toEqual([]);
});

test("a message with too many blocks or too much text is refused", () => {
  const block = { type: "section", text: mrkdwn(x(300)) };
  expect(checkBlocks(Array.from({ length: 33 }, () => block))).toEqual([]);
  expect(checkBlocks(Array.from({ length: 34 }, () => block))).not.toEqual([]);
  expect(checkBlocks(Array.from({ length: 51 }, () => ({ type: "divider" })))).not.toEqual([]);
});

test.each([
  ["a title of 25", { title: plain(x(25)) }],
  ["a submit button of 25", { submit: plain(x(25)) }],
  ["metadata of 3,001", { private_metadata: x(3_001) }],
  ["101 blocks", { blocks: Array.from({ length: 101 }, () => ({ type: "divider" })) }],
])("a modal with %s is refused", (_, more) => {
  const modal = { type: "modal", title: plain("x"), blocks: [{ type: "divider" }] };
  expect(checkView(modal)).toEqual([]);
  expect(checkView({ ...modal, ...more })).not.toEqual([]);
});
