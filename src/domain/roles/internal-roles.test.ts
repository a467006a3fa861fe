import { expect, test } from "vitest";
import { LOCALES } from "../locale.ts";
import { INTERNAL_ROLES } from "./internal-role.ts";
import { internalRoles } from "./internal-roles.ts";

const CODES = [
  "APPROVAL_PENDING",
  "OUTCOME_UNKNOWN",
  "PARKED",
  "STEP_REJECTED",
  "STOP_REQUESTED",
  "TOOL_NOT_IN_PROCESS",
];

function promptOf(locale: (typeof LOCALES)[number], id: string): string {
  return internalRoles(locale).find((role) => role.id === id)?.systemPrompt ?? "";
}

test.each(LOCALES)(
  "in %s there are four internal roles, and only the executor may write and use tools",
  (locale) => {
    expect(
      internalRoles(locale).map(({ id, access, mcpServers }) => [id, access, mcpServers]),
    ).toEqual([
      ["task-analyst", "read-only", []],
      ["planner", "read-only", []],
      ["process-designer", "read-only", []],
      ["executor", "read-write", ["*"]],
    ]);
  },
);

test.each(LOCALES)("in %s each drafting prompt names the members of its answer", (locale) => {
  for (const member of ["title", "description", "priority", "type"]) {
    expect(promptOf(locale, "task-analyst")).toContain(`"${member}"`);
  }
  expect(promptOf(locale, "planner")).toContain('"content"');
  for (const member of ["steps", "title", "tool", "requiresHumanCheck"]) {
    expect(promptOf(locale, "process-designer")).toContain(`"${member}"`);
  }
});

test.each(LOCALES)("in %s the executor's prompt explains each refusal code", (locale) => {
  const prompt = promptOf(locale, "executor");

  for (const code of CODES) expect(prompt).toContain(code);
  expect(prompt).toContain('result="waiting"');
  for (const tool of ["report_progress", "report_completed", "get_notifications", "ask_human"]) {
    expect(prompt).toContain(`\`${tool}\``);
  }
});

test("the prompts of internal roles are in their language", () => {
  for (const id of INTERNAL_ROLES) {
    expect(/[ぁ-ん]/.test(promptOf("ja", id))).toBe(true);
    expect(/[ぁ-ん]/.test(promptOf("en", id))).toBe(false);
  }
});
