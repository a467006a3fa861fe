import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export type Desktop = {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Finds a program on PATH. */
  readonly has: (program: string) => boolean;
};

/** Variables of places without a screen of their own, or where no person sits. */
const NO_SCREEN = [
  "CI",
  "SSH_CONNECTION",
  "SSH_CLIENT",
  "SSH_TTY",
  "CODESPACES",
  "REMOTE_CONTAINERS",
  "KUBERNETES_SERVICE_HOST",
  "container",
];

/** The command that opens an address in the browser of this desktop; undefined: there is none. */
export function browserCommand({ platform, env, has }: Desktop) {
  if (env["BROWSER"] === "none" || NO_SCREEN.some((name) => env[name])) {
    return undefined;
  }
  if (platform === "darwin") return "open";
  if (platform !== "linux") return undefined;
  if (env["WSL_DISTRO_NAME"]) return has("wslview") ? "wslview" : undefined;
  // A container or a server has neither.
  const hasScreen = Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  return hasScreen && has("xdg-open") ? "xdg-open" : undefined;
}

/** Opens the address. Returns false if there is no browser that could be opened. */
export function openBrowser(url: string, desktop: Desktop = desktopOf(process.env)): boolean {
  const command = browserCommand(desktop);
  if (command === undefined) return false;
  const child = spawn(command, [url], {
    stdio: "ignore",
    detached: true,
    env: { ...desktop.env },
  });
  // The address is printed too, so a browser that does not start needs no message.
  child.on("error", () => {});
  child.unref();
  return true;
}

export function desktopOf(env: NodeJS.ProcessEnv): Desktop {
  return {
    platform: process.platform,
    env,
    has: isOnPath,
  };
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
