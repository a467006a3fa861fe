import { expect, test } from "vitest";
import { abilitiesOf, createStyle } from "./style.ts";

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, true],
  [{ TERM: "dumb" }, true, false],
])("with %j and a terminal: %s, colours are used: %s", (environment, isTTY, colors) => {
  expect(abilitiesOf(environment, isTTY).colors).toBe(colors);
});

test("links are written only to terminals that are known to show them", () => {
  expect(abilitiesOf({ VTE_VERSION: "7200" }, true).links).toBe(true);
  expect(abilitiesOf({ VTE_VERSION: "7200" }, false).links).toBe(false);
  expect(abilitiesOf({ TERM: "xterm-256color" }, true).links).toBe(false);
});

test("without colours and links every text stays as it is", () => {
  const style = createStyle({ colors: false, links: false });

  expect(style.bold(style.red(style.link("text", "http://127.0.0.1/")))).toBe("text");
});
