import { expect, test } from "vitest";
import { aRoleCore } from "../../../test/kit/role-core.ts";
import { listRoleTools } from "./list-role-tools.ts";

const TEXT = `tools:
  - id: spell
    name: cspell
    description: つづりを検査する
    promptInstructions: 実行する
    check: [cspell, --version]
  - id: silent
    name: silent
    description: d
    promptInstructions: p
roles:
  - id: text-review
    tools: [textlint, spell]
`;

test("built-in and configured role tools are listed with the roles that have them", async () => {
  const core = await aRoleCore(TEXT);

  const views = await listRoleTools(core, { check: false });

  expect(
    views.map(({ tool, builtin, usedBy, outcome }) => [tool.id, builtin, usedBy, outcome]),
  ).toEqual([
    ["textlint", true, ["text-review"], null],
    ["spell", false, ["text-review"], null],
    ["silent", false, [], null],
  ]);
});

test("on request, each role tool's check command shows whether it is installed", async () => {
  const ran: (readonly string[])[] = [];
  const core = {
    ...(await aRoleCore(TEXT)),
    checkCommand: async (argv: readonly string[]) => {
      ran.push(argv);
      return { ok: argv[0] === "cspell", detail: "9.0" };
    },
  };

  const views = await listRoleTools(core, { check: true });

  expect(ran).toEqual([
    ["npx", "--no-install", "textlint", "--version"],
    ["cspell", "--version"],
  ]);
  expect(views.map(({ tool, outcome }) => [tool.id, outcome?.ok ?? null])).toEqual([
    ["textlint", false],
    ["spell", true],
    ["silent", null],
  ]);
});
