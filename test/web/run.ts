/**
 * `npm run test:web`: builds what is older than its source, finds a browser, and runs the tests in it. With
 * `--quick`, as in `npm test`, it runs the short set: a whole task, two browsers that decide at once, no
 * decision on a truncated text, a daemon that restarts, and the phone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setup } from "../kit/build.ts";
import { findBrowser } from "./browser.ts";
import { buildWeb } from "./build-web.ts";
import { QUICK_KEY } from "./kit/quick.ts";

setup();
await buildWeb();
const { browser, problems } = await findBrowser();
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (!browser) {
  process.stderr.write("skipped: the tests of the dashboard, because no browser starts here.\n");
  process.stderr.write("CHROMIUM=/path/to/a/chromium names one.\n");
  process.exit(0);
}
process.stderr.write(`Chromium ${browser.version}: ${browser.path}\n`);
const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
const config = ["--config", "test/web/playwright.config.ts"];
const asked = process.argv.slice(2);
const passedOn = asked.filter((option) => option !== "--quick");
const child = spawn(process.execPath, [cli, "test", ...config, ...passedOn], {
  stdio: "inherit",
  env: {
    ...process.env,
    KUROMAJUTSU_TEST_BROWSER: JSON.stringify(browser),
    // Playwright resets a window between tests instead of opening a new one, which is a fifth faster.
    PW_TEST_REUSE_CONTEXT: "1",
    ...(passedOn.length < asked.length ? { [QUICK_KEY]: "1" } : {}),
  },
});
const [code] = await once(child, "exit");
process.exitCode = typeof code === "number" ? code : 1;
