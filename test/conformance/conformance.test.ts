import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { startDaemon, type TestDaemon } from "./daemon.ts";
import { runSuite } from "./suite.ts";

const exceptions = z.record(z.string(), z.record(z.string(), z.string().min(1)));
const EXPECTED = exceptions.parse(
  parse(readFileSync(new URL("expected-failures.yaml", import.meta.url), "utf8")),
);

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon("--conformance");
});
afterAll(() => daemon.stop());

test.each(["2025-11-25", "2026-07-28"])(
  "the server scenarios of revision %s pass, except those in expected-failures.yaml",
  async (revision) => {
    const expected = EXPECTED[revision] ?? {};
    const result = await runSuite(revision, daemon);

    const unexpected = [...result]
      .filter(([scenario]) => expected[scenario] === undefined)
      .flatMap(([scenario, complaints]) => complaints.map((text) => `${scenario}: ${text}`));
    const stale = Object.keys(expected).filter((scenario) => !result.get(scenario)?.length);
    expect({ unexpected, stale }).toEqual({ unexpected: [], stale: [] });
  },
);
