import { expect, test } from "vitest";
import { ensureValidLanguage } from "./valid-language.ts";

/** As in a browser: the language is a getter of the prototype. */
function aBrowser(language: string): { readonly language: string } {
  return new (class {
    get language(): string {
      return language;
    }
  })();
}

test.for([
  ["en-US@posix", "en-US"],
  ["C", "en-US"],
  ["", "en-US"],
  ["ja", "ja"],
  ["zh-Hant-TW", "zh-Hant-TW"],
])("a browser with the language %j has then %j, which Intl takes", ([given, language]) => {
  const browser = aBrowser(given ?? "");
  ensureValidLanguage(browser);
  expect(browser.language).toBe(language);
  expect(() => new Intl.NumberFormat(browser.language)).not.toThrow();
});
