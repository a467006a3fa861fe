import { expect, test } from "vitest";
import { answerOf } from "../../../test/kit/call-own-tool.ts";
import type { TestCore } from "../../../test/kit/core.ts";
import { aCoreWithPeople } from "../../../test/kit/people.ts";
import type { Identity } from "../../app/core.ts";
import { TOOLS } from "./tools.ts";

const NO_PERSON: Identity = { kind: "client", cwd: "/", keys: {} };

async function codeOf(core: TestCore, name: string): Promise<string | undefined> {
  return (await answerOf(core, name, {}, NO_PERSON)).code;
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
