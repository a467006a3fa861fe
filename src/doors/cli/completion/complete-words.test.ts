import { expect, test } from "vitest";
import { COMMANDS } from "../commands.ts";
import { completeWords } from "./complete-words.ts";

const complete = (...words: readonly string[]) => completeWords(words, COMMANDS, "en");
const values = (...words: readonly string[]) =>
  complete(...words).candidates.map(({ value }) => value);

test("the first word is a command, the second one of a group its command", () => {
  expect(values("ap")).toEqual(["approvals"]);
  expect(values("user", "")).toEqual(["add", "list", "token", "remove"]);
  expect(values("help", "wat")).toEqual(["watch"]);
});

test("options, their choices and the actions of a command are completed", () => {
  expect(values("run", "text", "--pri")).toEqual(["--priority"]);
  expect(values("run", "--priority", "")).toEqual(["low", "medium", "high"]);
  expect(values("tasks", "task-1", "un")).toEqual(["unblock"]);
  expect(values("tasks", "--json", "task-1", "un")).toEqual(["unblock"]);
});

test("an option whose value may be left out takes no option for it", () => {
  expect(values("changes", "impl-code-1-a", "--patch", "--js")).toEqual(["--json"]);
  expect(complete("changes", "--patch", "--group", "").ids).toBe("groups");
  expect(complete("changes", "--patch", "a.ts", "").ids).toBe("changes");
});

test("ids are asked of the daemon", () => {
  expect(complete("tasks", "task-").ids).toBe("tasks");
  expect(complete("logs", "").ids).toBe("agents");
  expect(complete("agents", "--group", "").ids).toBe("groups");
  expect(complete("merge", "").ids).toBe("changes");
  expect(complete("workspaces", "--retire", "").ids).toBe("workspaces");
  expect(complete("run", "").ids).toBeUndefined();
});
