import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findBrowser, type Browser } from "./browser.ts";
import type { Options } from "./kit.ts";
import { QUICK_KEY } from "./kit/quick.ts";

const RESULTS = fileURLToPath(new URL("../../test-results/", import.meta.url));
const KEY = "KUROMAJUTSU_TEST_BROWSER";

/** Found once by run.ts, which passes it to the workers in the environment. */
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
/** The short set that `npm run check` runs. */
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
  // Screenshots are only written with --update-snapshots.
  updateSnapshots: "none",
  workers: 2,
  // Long, because the tests also run on busy machines; only a test that hangs takes this long.
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
    // First, so that its longest file does not run alone at the end.
    {
      name: "phone",
      testMatch: isQuick
        ? "*.phone.spec.ts"
        : [
            "*.phone.spec.ts",
            "routes.spec.ts",
            "bad-data.spec.ts",
            "alerts.spec.ts",
            "templates.spec.ts",
            "saved-templates.spec.ts",
            "worker-marks.spec.ts",
            "schedules.spec.ts",
          ],
      // The load is the same on desktop and phone, so one of them is enough.
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
