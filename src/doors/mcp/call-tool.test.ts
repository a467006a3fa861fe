import { expect, test } from "vitest";
import { aCoreWithPeople } from "../../../test/kit/people.ts";
import type { Core, Identity } from "../../app/core.ts";
import { callTool } from "./call-tool.ts";
import { TOOLS } from "./tools.ts";

const NO_PERSON: Identity = { kind: "client", cwd: "/", keys: {} };

async function codeOf(core: Core, name: string): Promise<string | undefined> {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const { content } = await callTool(core, tool, {
    name,
    args: {},
    identify: async () => NO_PERSON,
    signal: new AbortController().signal,
    patienceMs: 0,
    beat: () => {},
  });
  return JSON.parse(content.at(-1)?.text ?? "{}").code;
}

const mainTools = TOOLS.filter(({ callers }) => callers.includes("client"));
const changing = mainTools.filter(({ hints }) => !hints.readOnly).map(({ name }) => name);
const reading = mainTools.filter(({ hints }) => hints.readOnly).map(({ name }) => name);

test.each(changing)("with sign-in %s needs a client that acts for a person", async (name) => {
  const core = await aCoreWithPeople({ ben: "operator" });
  expect(await codeOf(core, name)).toBe("PERSON_NEEDED");

  core.setPeople({});

  expect(await codeOf(core, name)).not.toBe("PERSON_NEEDED");
});

test.each(reading)("%s only reads, so it needs no person on the local socket", async (name) => {
  const core = await aCoreWithPeople({ ben: "operator" });

  expect(await codeOf(core, name)).not.toBe("PERSON_NEEDED");
});
