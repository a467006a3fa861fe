import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../contract/config/schema.ts";
import { builtinRoles } from "../../domain/roles/builtin-roles.ts";
import { BUILTIN_TOOLS } from "../../domain/roles/builtin-tools.ts";
import { resolveInternalRoles, resolveRoles, resolveTools } from "./resolve-roles.ts";

function complete(value: unknown) {
  const config = configSchema.parse(value);
  return { ...config, locale: config.locale ?? "ja" };
}

function rolesOf(value: unknown) {
  return resolveRoles(complete(value));
}

function roleOf(value: unknown, id: string) {
  return rolesOf(value).find((role) => role.id === id);
}

test("without roles in the file the built-in ones are used", () => {
  expect(rolesOf({})).toEqual(
    builtinRoles("ja").map((role) => ({
      ...role,
      modelFrom: "default",
      runner: "auto",
      isolation: "auto",
      mcpServers: [],
    })),
  );
});

test("the five roles of the specification, written into the file, equal the built-in ones", () => {
  const example = new URL("../../../kuromajutsu.config.example.yaml", import.meta.url);
  const written: unknown = parse(readFileSync(example, "utf8"));

  const roles = rolesOf(written);

  expect(roles.filter(({ id }) => id !== "research")).toEqual(
    rolesOf({}).filter(({ id }) => id !== "research"),
  );
  // The built-in prompt adds a line about the report's structure; a prompt in the file is not
  // changed.
  const research = roleOf({}, "research");
  expect(roleOf(written, "research")).toEqual({
    ...research,
    systemPrompt: research?.systemPrompt.replace(/ファイルの編集は行わず.*\n/, ""),
  });
});

test("an entry with a built-in id changes only the given fields", () => {
  const role = roleOf({ roles: [{ id: "text-review", tools: ["textlint"] }] }, "text-review");

  expect(role).toEqual({ ...roleOf({}, "text-review"), tools: ["textlint"] });
});

test("built-in roles that the file does not name stay, in their order, before the new roles", () => {
  const own = { id: "mine", name: "m", description: "d", model: "x", systemPrompt: "p" };

  const roles = rolesOf({ roles: [own, { id: "research", name: "R" }] });

  expect(roles.map(({ id }) => id)).toEqual([...builtinRoles("ja").map(({ id }) => id), "mine"]);
  expect(roles.at(-1)).toEqual({
    ...own,
    healthCheckPrompt: "Hello, respond with exactly: OK",
    modelFrom: "user",
    runner: "auto",
    access: "read-write",
    isolation: "auto",
    tools: [],
    mcpServers: [],
  });
});

test("a disabled role is removed, built-in or not", () => {
  const own = { id: "mine", name: "m", description: "d", model: "x", systemPrompt: "p" };

  const roles = rolesOf({
    roles: [
      { ...own, disabled: true },
      { id: "research", disabled: true },
    ],
  });

  expect(roles.map(({ id }) => id)).not.toContain("research");
  expect(roles.map(({ id }) => id)).not.toContain("mine");
});

test.each([
  [{}, "composer-1.5", "default"],
  [{ model: "composer-1.5" }, "composer-1.5", "default"],
  [{ model: "gpt-5" }, "gpt-5", "user"],
  [{ model: { claude: "sonnet" } }, { cursor: "composer-1.5", claude: "sonnet" }, "user"],
  [{ model: { cursor: "gpt-5" } }, { cursor: "gpt-5" }, "user"],
])("research with %j has the model %j from %s", (written, model, modelFrom) => {
  const role = roleOf({ roles: [{ id: "research", ...written }] }, "research");

  expect(role).toMatchObject({ model, modelFrom });
});

test("a role has its own runner, or else the runner of all agents", () => {
  const value = { agent: { runner: "claude" }, roles: [{ id: "research", runner: "codex" }] };

  expect(roleOf(value, "research")?.runner).toBe("codex");
  expect(roleOf(value, "impl-code")?.runner).toBe("claude");
});

test("the orchestrator's prompt follows the locale", () => {
  expect(roleOf({ locale: "en" }, "orchestrator")?.systemPrompt).toContain("You are");
  expect(roleOf({ locale: "ja" }, "orchestrator")?.systemPrompt).toContain("あなたは");
});

function internalRole(value: unknown, id: string) {
  return resolveInternalRoles(complete(value)).find((role) => role.id === id);
}

test("an internal role is changed by its id like any other, and is never listed with them", () => {
  const planner = { id: "planner", model: "gpt-5", runner: "claude", systemPrompt: "p" };
  const config = { roles: [planner, { id: "executor", mcpServers: ["hr"] }] };

  expect(internalRole(config, "planner")).toEqual({
    ...internalRole({}, "planner"),
    model: "gpt-5",
    modelFrom: "user",
    runner: "claude",
    systemPrompt: "p",
  });
  expect(internalRole({}, "executor")?.mcpServers).toEqual(["*"]);
  expect(internalRole(config, "executor")?.mcpServers).toEqual(["hr"]);
  expect(rolesOf(config)).toEqual(rolesOf({}));
});

test("an internal role can be disabled, and has the language of the file", () => {
  const config = { locale: "en", roles: [{ id: "planner", disabled: true }] };

  expect(internalRole(config, "planner")).toBeUndefined();
  expect(internalRole(config, "executor")?.systemPrompt).toContain("You are");
  expect(internalRole({}, "executor")?.systemPrompt).toContain("あなたは");
});

test("role tools of the file are added to the built-in ones, or replace one with the same id", () => {
  const spell = { id: "spell", name: "s", description: "d", promptInstructions: "p" };
  const config = configSchema.parse({
    tools: [
      { ...spell, check: ["spell", "--version"] },
      { ...spell, id: "textlint" },
    ],
  });

  expect(resolveTools(configSchema.parse({}))).toEqual(BUILTIN_TOOLS);
  expect(resolveTools(config)).toEqual([
    { ...spell, check: ["spell", "--version"] },
    { ...spell, id: "textlint" },
  ]);
});

test("a role has its own isolation, else that of the workspace section; internal roles have none", () => {
  const settings = {
    workspace: { isolation: "worktree" },
    roles: [{ id: "research", isolation: "none" }],
  };

  expect(roleOf(settings, "research")?.isolation).toBe("none");
  expect(roleOf(settings, "impl-code")?.isolation).toBe("worktree");
  expect(
    resolveInternalRoles(complete(settings)).filter(({ isolation }) => isolation !== "none"),
  ).toEqual([]);
});

test("a role has the labels and the rule for lost hosts of its entry, internal roles too", () => {
  const entry = { labels: ["gpu"], onLost: "requeue" };
  const settings = {
    roles: [
      { id: "research", ...entry },
      { id: "executor", ...entry },
    ],
  };

  expect(roleOf(settings, "research")).toMatchObject(entry);
  expect(roleOf(settings, "impl-code")).not.toHaveProperty("labels");
  const internal = resolveInternalRoles(complete(settings));
  expect(internal.find(({ id }) => id === "executor")).toMatchObject(entry);
});
