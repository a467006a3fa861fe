import {
  test as base,
  expect,
  type BrowserContext,
  type ConsoleMessage,
  type Page,
  type WebError,
} from "@playwright/test";
import { aDaemon, type ADaemon, type Daemon } from "./kit/daemon.ts";
import { restOf, type Rest } from "./kit/rest.ts";

export type Language = "ja" | "en";

export type Options = {
  /** What the dashboard speaks, unless a test changes it. */
  readonly language: Language;
};

export type Stage = { readonly daemon: Daemon; readonly rest: Rest };

export type Fixtures = {
  /** The word in the language of the project. */
  readonly say: (ja: string, en: string) => string;
  /** Starts a daemon that ends with the test. */
  readonly stage: (options?: ADaemon) => Promise<Stage>;
  readonly calm: Calm;
};

export type Calm = {
  /** Complaints a test provokes on purpose. */
  expect(complaint: RegExp): void;
  /** Pages of this context are watched too. */
  watch(context: BrowserContext): Promise<void>;
};

const LANGUAGE_KEY = "kuromajutsu.locale";

export const test = base.extend<Fixtures & Options, { readonly shared: Page }>({
  language: ["ja", { option: true }],

  // Of every test, though few use it: tests that differ in what belongs to a worker cannot share one.
  shared: [
    async ({ browser }, use) => {
      const page = await browser.newPage();
      await use(page);
      await page.context().close();
    },
    { scope: "worker" },
  ],

  say: async ({ language }, use) => {
    await use((ja, en) => (language === "ja" ? ja : en));
  },

  stage: async ({}, use) => {
    const daemons: Daemon[] = [];
    await use(async (options) => {
      const daemon = await aDaemon(options);
      daemons.push(daemon);
      return { daemon, rest: restOf(daemon.url) };
    });
    for (const daemon of daemons) await daemon.end();
  },

  /** No test is green while the console complains: errors, exceptions, the content policy. */
  calm: [
    // It ends before the daemon does: a connection that breaks then is nobody's fault.
    async ({ context, language, stage: _stage }, use) => {
      const complaints: string[] = [];
      const expected: RegExp[] = [];
      const watched: BrowserContext[] = [];
      const onConsole = (message: ConsoleMessage) => {
        if (message.type() !== "error") return;
        complaints.push(`${message.text()} ${message.location().url}`);
      };
      const onError = (error: WebError) => complaints.push(String(error.error().stack));
      const watch = async (each: BrowserContext): Promise<void> => {
        watched.push(each);
        each.on("console", onConsole);
        each.on("weberror", onError);
        await beginIn(each, language);
      };
      await watch(context);
      await use({ watch, expect: (complaint) => expected.push(complaint) });
      for (const each of watched) {
        each.off("console", onConsole);
        each.off("weberror", onError);
      }
      const left = complaints.filter((each) => !expected.some((known) => known.test(each)));
      expect(left, "the console complains").toEqual([]);
    },
    { auto: true },
  ],
});

/** The language of somebody who has not chosen one yet. */
async function beginIn(context: BrowserContext, language: Language): Promise<void> {
  await context.addInitScript(
    ({ key, value }) => {
      // An empty page keeps nothing.
      if (location.protocol !== "http:") return;
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    },
    { key: LANGUAGE_KEY, value: language },
  );
}

/**
 * For tests that only look: they share one window, because a new one has to read all the code again,
 * which takes longer than the look.
 */
export const lookingTest = test.extend({
  context: async ({ shared }, use) => use(shared.context()),
  page: async ({ shared }, use) => use(shared),
});

export { expect, type Page };

/** Opens a page of the dashboard and waits until it is connected and shows something. */
export async function open(page: Page, url: string, path = "/", within?: Within): Promise<void> {
  await page.goto(`${url}${path}`);
  await shown(page, within);
}

/** For pages that are given more than any real one. */
export type Within = { readonly timeout: number };

/** Until nothing on the page is still being loaded. */
export async function shown(page: Page, within?: Within): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible(within);
  const loading = page.locator("main").getByText(/^(?:読み込み中…|Loading…)$/);
  await expect(loading).toHaveCount(0, within);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
