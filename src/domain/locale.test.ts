import { expect, test } from "vitest";
import { localeOfAcceptLanguage, localeOfVariables } from "./locale.ts";

test.each([
  ["nothing is set", {}, "ja"],
  ["every variable is empty", { LC_ALL: "", LC_MESSAGES: "", LANG: "" }, "ja"],
  ["LANG is Japanese", { LANG: "ja_JP.UTF-8" }, "ja"],
  ["LANG is the bare language", { LANG: "ja" }, "ja"],
  ["LANG is English", { LANG: "en_US.UTF-8" }, "en"],
  ["LANG is the C locale", { LANG: "C" }, "en"],
  ["LANG is the C locale with UTF-8", { LANG: "C.UTF-8" }, "en"],
  ["LANG is POSIX", { LANG: "POSIX" }, "en"],
  ["LANG is a language we do not have", { LANG: "de_DE.UTF-8" }, "en"],
  ["LANG is a language whose code begins alike", { LANG: "jam" }, "en"],
  ["LC_MESSAGES overrides LANG", { LC_MESSAGES: "en_GB.UTF-8", LANG: "ja_JP.UTF-8" }, "en"],
  [
    "LC_ALL overrides LC_MESSAGES and LANG",
    { LC_ALL: "ja_JP.UTF-8", LC_MESSAGES: "en_US", LANG: "C" },
    "ja",
  ],
  ["an empty LC_ALL is skipped", { LC_ALL: "", LANG: "en_US.UTF-8" }, "en"],
])("the language of a process when %s", (_when, variables, expected) => {
  expect(localeOfVariables(variables)).toBe(expected);
});

test.each([
  [undefined, undefined],
  [null, undefined],
  ["", undefined],
  ["*", undefined],
  ["ja", "ja"],
  ["ja-JP,ja;q=0.9,en;q=0.8", "ja"],
  ["en-US,en;q=0.9,ja;q=0.8", "en"],
  ["en;q=0.5, JA-jp", "ja"],
  ["de-DE,de;q=0.9", "en"],
  ["de, ja;q=0.5, en;q=0.4", "ja"],
  ["ja;q=0, en", "en"],
  ["ja;q=0", undefined],
  ["ja;q=often", undefined],
  ["*, ja;q=0.1", "ja"],
])("the language that Accept-Language %s prefers is %s", (header, expected) => {
  expect(localeOfAcceptLanguage(header)).toBe(expected);
});
