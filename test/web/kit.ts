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
  /** The language of the dashboard, unless a test changes it. */
  readonly language: Language;
};

export type Stage = { readonly daemon: Daemon; readonly rest: Rest };

export type Fixtures = {
  /** The text in the language of the Playwright project. */
  readonly say: (ja: string, en: string) => string;
  /** Starts a daemon that ends with the test. */
  readonly stage: (options?: ADaemon) => Promise<Stage>;
  readonly calm: Calm;
};

export type Calm = {
  /** Console errors that a test causes on purpose. */
  expect(complaint: RegExp): void;
  /** Also watches the console of the pages of this context. */
  watch(context: BrowserContext): Promise<void>;
};

const LANGUAGE_KEY = "kuromajutsu.locale";

export const test = base.extend<Fixtures & Options, { readonly shared: Page }>({
  language: ["ja", { option: true }],

  // Every test has this fixture, though few use it: tests with different worker fixtures cannot share
  // a worker.
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

  /** A test fails if the console has errors, exceptions or violations of the content security policy. */
  calm: [
    // The page closes before the daemon ends, so that a broken connection is not reported.
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

/** The browser's language, for a person who has not chosen one yet. */
async function beginIn(context: BrowserContext, language: Language): Promise<void> {
  await context.addInitScript(
    ({ key, value }) => {
      // An empty page has no storage.
      if (location.protocol !== "http:") return;
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    },
    { key: LANGUAGE_KEY, value: language },
  );
}

/**
 * For tests that only read pages: they share one window, because a new one would load all the code again,
 * which takes longer than the test.
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

/** Switches the language in the menu of the header. */
export async function speak(page: Page, language: Language): Promise<void> {
  const html = page.locator("html");
  if ((await html.getAttribute("lang")) !== language) {
    await page.getByRole("button", { name: ACCOUNT }).click();
    const name = language === "en" ? "English" : "日本語";
    await page.getByRole("menuitemradio", { name }).click();
    await expect(page.getByRole("menu")).toHaveCount(0);
  }
  await expect(html).toHaveAttribute("lang", language);
  await shown(page);
}

/** The button in the header that shows who is signed in. */
export const ACCOUNT = /アカウントのメニュー|Account menu/;

/** The time-out for pages with far more data than real ones. */
export type Within = { readonly timeout: number };

/** Resolves when the page has loaded everything. */
export async function shown(page: Page, within?: Within): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible(within);
  const loading = page.locator("main").getByText(/^(?:読み込み中…|Loading…)$/);
  await expect(loading).toHaveCount(0, within);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
