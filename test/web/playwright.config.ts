import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findBrowser, type Browser } from "./browser.ts";
import type { Options } from "./kit.ts";
import { QUICK_KEY } from "./kit/quick.ts";

const RESULTS = fileURLToPath(new URL("../../test-results/", import.meta.url));
const KEY = "KUROMAJUTSU_TEST_BROWSER";

/** Found once, by whoever starts the tests; workers are told. */
async function browser(): Promise<Browser> {
  const known = process.env[KEY];
  if (known !== undefined) return JSON.parse(known);
  const { browser: found, problems } = await findBrowser();
  if (!found) throw new Error(["No browser starts here.", ...problems].join("\n"));
  process.env[KEY] = JSON.stringify(found);
  return found;
}

const { path, env } = await browser();
const isQuick = process.env[QUICK_KEY] !== undefined;
/** What nobody may break without hearing of it at once. */
const PROMISES = [
  "story.spec.ts",
  "approvals.spec.ts",
  "long-approvals.spec.ts",
  "reconnect.spec.ts",
];

export default defineConfig<Options>({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: `${RESULTS}runs`,
  snapshotPathTemplate: "{testDir}/__screens__/{projectName}/{arg}{ext}",
  // A picture is made only by somebody who asks for it.
  updateSnapshots: "none",
  workers: 2,
  // Only what hangs takes this long: the gate also runs on machines that do other work.
  timeout: 240_000,
  reporter: [["list"]],
  expect: {
    timeout: 60_000,
    toHaveScreenshot: { animations: "disabled", caret: "hide", maxDiffPixelRatio: 0.002 },
  },
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    timezoneId: "Asia/Tokyo",
    colorScheme: "dark",
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    launchOptions: { executablePath: path, args: BROWSER_ARGS, env: { ...process.env, ...env } },
  },
  projects: [
    // First, because its longest file should not be what everybody waits for at the end.
    {
      name: "phone",
      testMatch: isQuick
        ? "*.phone.spec.ts"
        : ["*.phone.spec.ts", "routes.spec.ts", "bad-data.spec.ts"],
      // As heavy on a desk as on a phone.
      grepInvert: /5,000|10 MB/,
      use: {
        language: "en",
        locale: "en-US",
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      },
    },
    {
      name: "desktop",
      testMatch: isQuick ? PROMISES : "*.spec.ts",
      testIgnore: "*.phone.spec.ts",
      use: { language: "ja", locale: "ja-JP", viewport: { width: 1440, height: 900 } },
    },
  ],
});
