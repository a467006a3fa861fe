import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { explainStart, programIn } from "./explain-start.ts";

export const BROWSER_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--font-render-hinting=none",
  // The first four are Playwright's defaults, which this list replaces; the last one enables dragging by
  // touch, as on a phone.
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,touchDragDropEnabled=true",
];

export type Browser = {
  readonly path: string;
  readonly version: string;
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
};

export type Search = {
  readonly browser: Browser | undefined;
  /** Why the earlier candidates could not be used. */
  readonly problems: readonly string[];
};

const CACHE = fileURLToPath(
  new URL("../../node_modules/.cache/kuromajutsu-chromium/", import.meta.url),
);
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const APPLICATIONS = [
  "/usr/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * The first browser that starts: the one in CHROMIUM, the system's, or the one installed by `npm ci`
 * (`CHROMIUM=npm` selects that one). Nothing is downloaded.
 */
export async function findBrowser(wanted = process.env["CHROMIUM"]): Promise<Search> {
  const problems: string[] = [];
  for (const path of wanted === "npm" ? [] : candidates(wanted)) {
    const started = await start(path, {});
    if (typeof started !== "string") return { browser: started, problems };
    problems.push(started);
  }
  const packed = await startPacked();
  if (typeof packed !== "string") return { browser: packed, problems };
  return { browser: undefined, problems: [...problems, packed] };
}

function candidates(wanted: string | undefined): readonly string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const onPath = folders.flatMap((folder) => PROGRAMS.map((name) => join(folder, name)));
  const found = [...APPLICATIONS, ...onPath].filter((path) => existsSync(path));
  // /bin may be a link to /usr/bin.
  const byFile = new Map(found.toReversed().map((path) => [realpathSync(path), path]));
  return [...new Set(wanted ? [wanted, ...byFile.values()] : byFile.values())];
}

/** The browser, or why it does not start. */
async function start(path: string, env: Readonly<Record<string, string>>) {
  if (!existsSync(path)) return `${path}: there is no such file.`;
  try {
    const browser = await chromium.launch({
      executablePath: path,
      args: BROWSER_ARGS,
      env: { ...process.env, ...env },
      timeout: 60_000,
    });
    try {
      const page = await browser.newPage();
      await page.setContent("<p>九六");
      return { path, version: browser.version(), env };
    } finally {
      await browser.close();
    }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const ldd = spawnSync("ldd", [programIn(said) ?? path], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    return `${path}: ${explainStart(said, ldd.stdout ?? "")}`;
  }
}

/** The Chromium of `@sparticuz/chromium`, built for machines with little more than glibc. */
async function startPacked() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    return `@sparticuz/chromium: it is for Linux on x64, this is ${process.platform} on ${process.arch}.`;
  }
  try {
    const folder = await unpacked();
    const path = join(folder, "chromium");
    const alone = await start(path, {});
    if (typeof alone !== "string") return alone;
    // The package contains the few libraries it needs, for machines that lack them.
    const libraries = join(folder, "al2023", "lib");
    const helped = await start(path, {
      LD_LIBRARY_PATH: [libraries, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(delimiter),
    });
    return typeof helped === "string" ? alone : helped;
  } catch (error) {
    return `@sparticuz/chromium: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Unpacked once per version and renamed when complete, so that no process sees half of it. */
async function unpacked(): Promise<string> {
  const packageFile = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const home = dirname(dirname(packageFile));
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(home, "package.json"), "utf8"),
  );
  const place = join(CACHE, version);
  if (existsSync(join(place, "chromium"))) return place;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "unpacking-"));
  // The package unpacks into the temporary directory.
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    const { default: packed, inflate } = await import("@sparticuz/chromium");
    await packed.executablePath();
    await inflate(join(home, "bin", "al2023.tar.br"));
    if (!existsSync(place)) renameSync(folder, place);
    return place;
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true });
  }
}
