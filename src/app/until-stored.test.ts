import { expect, test, vi } from "vitest";
import { Refusal } from "../domain/refusal.ts";
import { untilStored } from "./until-stored.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const full = new Refusal("STORE_FULL", {
  en: ["No space is left for a.db.", "Free some space."],
  ja: ["No space is left for a.db.", "Free some space."],
});

function refuse(error: Refusal) {
  return async () => {
    throw error;
  };
}

function patience(patienceMs: number, controller = new AbortController()) {
  return { signal: controller.signal, patienceMs, beat() {} };
}

test("a report is retried while the disk is full until it is stored", async () => {
  vi.useFakeTimers();
  try {
    let tries = 0;
    const stored = untilStored({ log }, "report_result", patience(60_000), async () => {
      tries += 1;
      if (tries < 5) throw full;
      return "registered";
    });
    await vi.runAllTimersAsync();

    expect(await stored).toBe("registered");
    expect(tries).toBe(5);
  } finally {
    vi.useRealTimers();
  }
});

test("a report is refused if the disk stays full, with the hint to repeat the call", async () => {
  vi.useFakeTimers();
  try {
    let tries = 0;
    const refused = untilStored({ log }, "report_result", patience(10_000), async () => {
      tries += 1;
      throw full;
    }).catch((error: unknown) => error);
    await vi.runAllTimersAsync();

    expect(await refused).toMatchObject({
      code: "STORE_FULL",
      hint: expect.stringContaining("call report_result again with the same arguments"),
    });
    // 250 + 500 + 1000 + 2000 × 4 is within ten seconds.
    expect(tries).toBe(8);
  } finally {
    vi.useRealTimers();
  }
});

test("any other refusal, and a disconnected caller, end the retries of a report at once", async () => {
  const other = new Refusal("AGENT_NOT_FOUND", {
    en: ["There is none.", "Look again."],
    ja: ["There is none.", "Look again."],
  });
  const gone = new AbortController();
  gone.abort();

  await expect(untilStored({ log }, "report_result", patience(60_000), refuse(other))).rejects.toBe(
    other,
  );
  await expect(
    untilStored({ log }, "report_result", patience(60_000, gone), refuse(full)),
  ).rejects.toMatchObject({ code: "STORE_FULL" });
});
