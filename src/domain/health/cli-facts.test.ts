import { expect, test } from "vitest";
import { PACKAGES } from "../../../test/clis/installed.ts";
import { compareVersions } from "../../base/compare-versions.ts";
import { CLI_FACTS } from "./cli-facts.ts";

test("the newest tested version of a CLI is the one that `npm run test:clis` runs", () => {
  const newest = {
    claude: CLI_FACTS.claude?.tested?.newest,
    codex: CLI_FACTS.codex?.tested?.newest,
    gemini: CLI_FACTS.gemini?.tested?.newest,
    opencode: CLI_FACTS.opencode?.tested?.newest,
  };
  const { claude, codex, gemini, opencode } = PACKAGES;
  expect(newest).toEqual({
    claude: claude.version,
    codex: codex.version,
    gemini: gemini.version,
    opencode: opencode.version,
  });
});

test("the oldest tested version of a CLI is older than the newest", () => {
  const tested = Object.values(CLI_FACTS).flatMap((facts) => facts.tested ?? []);
  const wrong = tested.filter(({ oldest, newest }) => compareVersions(oldest, newest) >= 0);
  expect(wrong).toEqual([]);
});
