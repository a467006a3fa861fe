import { expect, test } from "vitest";
import { chooseOption, isAllowed } from "./decide-permission.ts";

test.each([
  ["read-write", "edit", "Writing to a.ts", true],
  ["read-only", "edit", "Writing to a.ts", false],
  ["read-only", "execute", "rm -rf .", false],
  ["read-only", "delete", "a.ts", false],
  ["read-only", undefined, "something unknown", false],
  ["read-only", "read", "a.ts", true],
  ["read-only", "other", "mcp_kuromajutsu_report_result", true],
] as const)(
  "a %s role and a tool of the kind %s (%s): allowed is %s",
  (access, kind, title, ok) => {
    const toolCall = { toolCallId: "c-1", title, ...(kind && { kind }) };
    expect(isAllowed({ toolCall }, access)).toBe(ok);
  },
);

test("the answer is for this call only where the CLI offers it", () => {
  const options = (["allow_always", "allow_once", "reject_always"] as const).map((kind) => ({
    optionId: kind,
    name: kind,
    kind,
  }));

  expect(chooseOption(options, true)?.optionId).toBe("allow_once");
  expect(chooseOption(options, false)?.optionId).toBe("reject_always");
  expect(chooseOption([], false)).toBeUndefined();
});
