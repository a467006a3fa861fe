import { expect, test } from "vitest";
import { messageText, type AlertText } from "./alert-texts.ts";
import { MAX_TRIES, waitAfter } from "./alert.ts";

const textOf = (alerts: readonly AlertText[], locale: "ja" | "en", isTest = false) =>
  messageText({ alerts, locale, isTest });

const FAILED = { kind: "task.failed", title: "Report", detail: "No quota." } as const;
const WAITING = { kind: "agent.waiting", title: "impl-code-1-0000", detail: null } as const;

test("one alert is its line and its detail, in both languages", () => {
  expect(textOf([FAILED], "en")).toBe("A task failed: Report\nNo quota.");
  expect(textOf([FAILED], "ja")).toBe("タスクが失敗しました: Report\nNo quota.");
});

test("several alerts are counted and listed", () => {
  expect(textOf([FAILED, WAITING], "en")).toBe(
    "2 alerts\n- A task failed: Report\nNo quota.\n- An agent is waiting for a person: impl-code-1-0000",
  );
});

test("a test says that it is one", () => {
  expect(textOf([FAILED], "en", true)).toBe("This is a test of Kuromajutsu's alerts.");
});

test("the waits grow, and a receiver may ask for a longer one, up to an hour", () => {
  const waits = Array.from({ length: MAX_TRIES - 1 }, (_, tries) => waitAfter(tries + 1));

  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waitAfter(1, 60_000)).toBe(60_000);
  expect(waitAfter(1, 999_999_999)).toBe(3_600_000);
  expect(waitAfter(1, 1)).toBe(5_000);
});
