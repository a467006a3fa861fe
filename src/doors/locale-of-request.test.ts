import { expect, test } from "vitest";
import { LANGUAGE_HEADER } from "../contract/http-headers.ts";
import { localeOfRequest } from "./locale-of-request.ts";

const CHOSEN_JA = { chosenLocale: "ja", locale: "ja" } as const;
const NOT_CHOSEN = { chosenLocale: null, locale: "ja" } as const;

test("the daemon's language is used when neither the file nor the request names one", () => {
  expect(localeOfRequest(NOT_CHOSEN, undefined)).toBe("ja");
  expect(localeOfRequest(NOT_CHOSEN, new Headers({ "accept-language": "*" }))).toBe("ja");
});

test("Accept-Language decides when the file names no language", () => {
  expect(localeOfRequest(NOT_CHOSEN, new Headers({ "accept-language": "en-US" }))).toBe("en");
});

test("the language of the file is stronger than Accept-Language", () => {
  expect(localeOfRequest(CHOSEN_JA, new Headers({ "accept-language": "en-US" }))).toBe("ja");
});

test("the language that a person chose in the dashboard is stronger than the file", () => {
  expect(localeOfRequest(CHOSEN_JA, new Headers({ [LANGUAGE_HEADER]: "en" }))).toBe("en");
});

test("an unknown language in our own header is ignored", () => {
  expect(localeOfRequest(CHOSEN_JA, new Headers({ [LANGUAGE_HEADER]: "tlh" }))).toBe("ja");
});
