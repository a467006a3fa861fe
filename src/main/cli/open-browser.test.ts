import { expect, test } from "vitest";
import { browserCommand, type Desktop } from "./open-browser.ts";

const LINUX: Desktop = {
  platform: "linux",
  env: { DISPLAY: ":0" },
  has: () => true,
};

test("the browser is opened with the command of the desktop", () => {
  expect(browserCommand(LINUX)).toBe("xdg-open");
  expect(browserCommand({ ...LINUX, env: { WAYLAND_DISPLAY: "wayland-0" } })).toBe("xdg-open");
  expect(browserCommand({ ...LINUX, platform: "darwin", env: {} })).toBe("open");
  expect(browserCommand({ ...LINUX, env: { WSL_DISTRO_NAME: "Ubuntu" } })).toBe("wslview");
});

test.each([
  ["without a screen", { ...LINUX, env: {} }],
  ["in CI", { ...LINUX, env: { DISPLAY: ":0", CI: "true" } }],
  ["over SSH", { ...LINUX, env: { DISPLAY: ":0", SSH_CONNECTION: "a b c d" } }],
  ["in a container", { ...LINUX, env: { DISPLAY: ":0", container: "podman" } }],
  ["with BROWSER=none", { ...LINUX, env: { DISPLAY: ":0", BROWSER: "none" } }],
  ["without xdg-open", { ...LINUX, has: () => false }],
  ["on a Mac over SSH", { ...LINUX, platform: "darwin" as const, env: { SSH_TTY: "/dev/x" } }],
  ["on Windows", { ...LINUX, platform: "win32" as const }],
])("no browser is opened %s", (_where, desktop) => {
  expect(browserCommand(desktop)).toBeUndefined();
});
