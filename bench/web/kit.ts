import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { build } from "vite";
import { BROWSER_ARGS, findBrowser } from "../../test/web/browser.ts";
import { aDaemon } from "../kit/daemon.ts";
import { aPlace, urlOf } from "../kit/place.ts";
import { buildProduct } from "../kit/product.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STAND_IN = fileURLToPath(new URL("./stand-in.ts", import.meta.url));

export type WebFigure = {
  readonly name: string;
  readonly unit: "fps" | "%" | "ms" | "kB";
  readonly product: readonly number[];
  readonly floor: readonly number[];
  readonly goal: { readonly text: string; isMet(product: number, floor: number): boolean };
};

export type WebContext = {
  readonly browser: Browser;
  /** Address of the daemon itself. */
  readonly url: string;
  /** Address of the stand-in in front of it. */
  readonly standIn: string;
  readonly ends: AsyncDisposableStack;
  say(text: string): void;
};
export type WebBench = (context: WebContext) => Promise<readonly WebFigure[]>;

/** A fresh build of the product in a folder of its own, its daemon, and a browser. */
export async function setUp(
  ends: AsyncDisposableStack,
  say: WebContext["say"],
): Promise<WebContext> {
  const whole = new DisposableStack();
  ends.defer(() => whole.dispose());
  const { browser: found, problems } = await findBrowser();
  if (!found) throw new Error(["No browser starts here.", ...problems].join("\n"));
  say("building");
  const product = buildProduct(whole);
  await build({
    configFile: `${ROOT}web/vite.config.ts`,
    logLevel: "warn",
    build: { outDir: `${product.dir}/product/dist/web` },
  });
  // The floor of the first paint: an empty page from the same daemon.
  writeFileSync(
    `${product.dir}/product/dist/web/empty.html`,
    "<!doctype html><title>0</title><p>0",
  );
  const place = aPlace(product, {
    config: { agent: { runner: "rehearsal" }, healthCheck: { enabled: false } },
  });
  await aDaemon({ product, ends }, place);
  const url = urlOf(place);
  const standIn = await aStandIn(ends, url);
  const browser = await chromium.launch({
    executablePath: found.path,
    args: BROWSER_ARGS,
    env: { ...process.env, ...found.env },
  });
  ends.defer(() => browser.close());
  say(`Chromium ${found.version}`);
  return { browser, url, standIn, ends, say };
}

async function aStandIn(ends: AsyncDisposableStack, url: string): Promise<string> {
  const child = spawn(process.execPath, [STAND_IN, url], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  ends.defer(async () => {
    child.stdin.end();
    await exited;
  });
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  return String(line).trim();
}

/** A desktop window with an empty cache. */
export async function aPage({ browser }: WebContext): Promise<{
  readonly page: Page;
  readonly context: BrowserContext;
}> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "ja-JP",
    colorScheme: "dark",
  });
  return { context, page: await context.newPage() };
}

export type Motion = { readonly fps: number; readonly busy: number };

/** Frames a second and load of the main thread, while `step` is called once a frame. */
export async function measure(page: Page, ms: number, scroll?: string): Promise<Motion> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const tasks = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const before = await tasks();
  const { frames, took } = await page.evaluate(
    async ({ forMs, selector }) => {
      const box = selector === null ? null : document.querySelector(selector);
      const began = performance.now();
      let count = 0;
      let step = 140;
      await new Promise<void>((resolve) => {
        const tick = () => {
          count++;
          if (box) {
            if (box.scrollTop + box.clientHeight >= box.scrollHeight - 200) step = -140;
            box.scrollTop += step;
          }
          if (performance.now() - began < forMs) requestAnimationFrame(tick);
          else resolve();
        };
        requestAnimationFrame(tick);
      });
      return { frames: count, took: performance.now() - began };
    },
    { forMs: ms, selector: scroll ?? null },
  );
  const busy = ((await tasks()) - before) / (took / 1_000);
  return { fps: frames / (took / 1_000), busy: busy * 100 };
}
