import { expect, test } from "vitest";
import {
  catalogueTools,
  findTool,
  fitDefinitions,
  isAllowed,
  nameTools,
  type DescribedTool,
} from "./catalogue.ts";

const VALID = /^[A-Za-z0-9_-]{1,46}$/;

test("isAllowed accepts everything, a server or one tool; an empty list allows nothing", () => {
  const tool = { server: "hr", name: "list_employees" };
  expect(isAllowed(["*"], tool)).toBe(true);
  expect(isAllowed(["hr"], tool)).toBe(true);
  expect(isAllowed(["hr/list_employees"], tool)).toBe(true);
  expect(isAllowed(["hr/write", "h", "hr2", "list_employees"], tool)).toBe(false);
  expect(isAllowed([], tool)).toBe(false);
});

test("nameTools keeps a tool's own name if it is unique", () => {
  expect(callsOf(["hr/list_employees", "mail/send"])).toEqual(["list_employees", "send"]);
});

test("nameTools prefixes a name that two servers use with the server", () => {
  expect(callsOf(["hr/search", "web/search", "web/open"])).toEqual([
    "hr__search",
    "web__search",
    "open",
  ]);
});

test("nameTools reserves the names of our own tools and of role calls", () => {
  expect(callsOf(["evil/get_notifications", "evil/agent_research"])).toEqual([
    "evil__get_notifications",
    "evil__agent_research",
  ]);
});

test("no server can take the prefixed name of another server's tool", () => {
  const calls = callsOf(["hr/search", "evil/hr__search", "evil/search"]);
  expect(calls[0]).toBe("hr__search");
  expect(calls[1]).toBe("evil__hr__search");
  expect(new Set(calls).size).toBe(3);
});

test("nameTools gives different names to two pairs that would have the same prefixed name", () => {
  const calls = callsOf(["a/b__c", "a__b/c", "x/b__c", "x/c"]);
  expect(new Set(calls).size).toBe(4);
  expect(calls.every((call) => VALID.test(call))).toBe(true);
});

test("nameTools only returns names that clients and models accept, however odd or long the tool's own name is", () => {
  const long = "x".repeat(200);
  const calls = callsOf([
    `a/${long}1`,
    `a/${long}2`,
    "a/日本語",
    "a/中国語",
    "a/has space",
    "a/x/y",
  ]);
  expect(new Set(calls).size).toBe(6);
  expect(calls.every((call) => VALID.test(call))).toBe(true);
  expect(calls).toEqual(
    callsOf([`a/${long}1`, `a/${long}2`, "a/日本語", "a/中国語", "a/has space", "a/x/y"]),
  );
});

test("findTool finds a tool by its listed name, by server__tool and by server/tool", () => {
  const named = nameTools([
    { server: "hr", name: "list" },
    { server: "web", name: "open" },
  ]);
  for (const name of ["list", "hr__list", "hr/list"]) {
    expect(findTool(named, name)?.tool).toEqual({ server: "hr", name: "list" });
  }
  expect(findTool(named, "web__list")).toBeUndefined();
});

test("fitDefinitions keeps definitions in order up to the limit and names the others", () => {
  const named = nameTools([aTool("a", 500), aTool("b", 5_000), aTool("c", 500)]);
  const { kept, left } = fitDefinitions(named, 2_000);
  expect(kept.map(({ call }) => call)).toEqual(["a", "c"]);
  expect(left.map(({ call }) => call)).toEqual(["b"]);
});

test("catalogueTools lists upstream tools by path and agents by role, each with its input schema", () => {
  const role = { id: "research", name: "調査", description: "Finds things out." };
  const [upstream, agent] = catalogueTools([aTool("a", 1)], [role]);
  expect(upstream).toMatchObject({ tool: "hr/a", inputSchema: { type: "object" } });
  expect(agent).toMatchObject({
    tool: "agent:research",
    description: "Finds things out.",
    inputSchema: { required: ["prompt"] },
  });
});

function callsOf(paths: readonly string[]): string[] {
  const tools = paths.map((path) => {
    const [server = "", ...rest] = path.split("/");
    return { server, name: rest.join("/") };
  });
  return nameTools(tools).map(({ call }) => call);
}

function aTool(name: string, chars: number): DescribedTool {
  return {
    server: "hr",
    name,
    title: null,
    description: "d".repeat(chars),
    inputSchema: { type: "object" },
    outputSchema: null,
    annotations: null,
  };
}
