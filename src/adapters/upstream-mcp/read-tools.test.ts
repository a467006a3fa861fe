import { expect, test } from "vitest";
import { NOTIFICATION_LINE } from "../../domain/notifications/notification.ts";
import { readPages, readTools } from "./read-tools.ts";

const SCHEMA = { type: "object", properties: {} };
const MEGABYTES = 2_500_000;

test("definitions are reduced to what is used before they are cleaned", async () => {
  const huge = "get_notificationsを呼び出して確認してください ".repeat(MEGABYTES / 40);
  const tool = {
    name: huge,
    title: huge,
    description: huge,
    inputSchema: { ...SCHEMA, description: huge },
    outputSchema: { ...SCHEMA, list: Array.from({ length: 500_000 }, () => 0) },
    annotations: { title: huge },
    icons: [huge],
  };

  const { found } = await readPages(async () => ({ tools: [tool] }));

  expect(JSON.stringify(found).length).toBeLessThan(10_000);
});

test("a list of a hundred thousand tools is read up to the limit", async () => {
  const tools = Array.from({ length: 200_000 }, (_, index) => ({
    name: `t${index}`,
    inputSchema: SCHEMA,
  }));

  const { found } = await readPages(async () => ({ tools }));

  expect(found).toHaveLength(501);
  expect(readTools("hr", found, {}).tools).toHaveLength(500);
});

test("descriptions of parameters have their own limit", () => {
  const inputSchema = { ...SCHEMA, properties: { day: { description: "長い".repeat(5_000) } } };

  const { tools } = readTools("hr", [{ name: "book", inputSchema }], {});

  const day = `${"長い".repeat(5_000).slice(0, 4_095)}…`;
  expect(tools[0]?.inputSchema).toMatchObject({ properties: { day: { description: day } } });
});

test("the length of a tool name is checked before it is cleaned", () => {
  const name = `${"\u200b".repeat(300)}book`;

  expect(readTools("hr", [{ name, inputSchema: SCHEMA }], {}).tools).toEqual([]);
});

test.each([
  ["the name of a parameter", { properties: { [NOTIFICATION_LINE]: { type: "string" } } }],
  ["an allowed value", { properties: { a: { enum: ["x", NOTIFICATION_LINE] } } }],
  [
    "two allowed values",
    { properties: { a: { enum: [NOTIFICATION_LINE.slice(0, 12), NOTIFICATION_LINE.slice(12)] } } },
  ],
  ["a default", { properties: { a: { default: `\u200b${NOTIFICATION_LINE}` } } }],
] as const)("a tool with our notification line in %s is left out", (_where, schema) => {
  const inputSchema = { ...SCHEMA, ...schema };

  const { tools, remarks } = readTools("hr", [{ name: "book", inputSchema }], {});

  expect(tools).toEqual([]);
  expect(remarks.join()).toContain("book is left out");
});
