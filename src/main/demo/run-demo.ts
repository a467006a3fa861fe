import type { DemoChoice } from "../../contract/demo.ts";
import { type Locale, localeOfVariables } from "../../domain/locale.ts";
import type { DemoOptions } from "../../doors/cli/cli.ts";
import { DEMO_TEXTS } from "../../doors/cli/demo/demo-texts.ts";
import { renderDemoBanner } from "../../doors/cli/demo/render-banner.ts";
import { abilitiesOf, createStyle } from "../../doors/cli/screen/style.ts";
import { writeWrapped } from "../../doors/cli/screen/wrap-text.ts";
import { desktopOf, openBrowser } from "../cli/open-browser.ts";
import type { Daemon } from "../daemon/serve.ts";
import { commandName } from "../entries.ts";
import {
  createDemoDirectory,
  type DemoDirectory,
  removeDeadDemos,
  removeDemoDirectory,
} from "./demo-directory.ts";
import { useDemoEnvironment } from "./demo-environment.ts";
import { writeDemoFiles } from "./demo-files.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const CTRL_C = "\u0003";

type Demo = {
  readonly daemon: Daemon;
  readonly url: string;
  readonly directory: DemoDirectory;
  readonly locale: Locale;
  /** The variables of the person, for the browser. */
  readonly env: NodeJS.ProcessEnv;
  /** Resolves when the person wants to end. */
  readonly ended: Promise<void>;
  readonly end: () => void;
};

/** Plays a story in a temporary directory until the person ends it, and leaves nothing behind. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const locale = localeOfVariables(process.env);
  const texts = DEMO_TEXTS[locale];
  // Before the directory exists: a signal without a listener would end this process at once.
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  for (const signal of SIGNALS) process.on(signal, end);
  // The terminal may be gone by the time of the last words.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  // Absolute paths of this program are found before the working directory changes.
  commandName();
  removeDeadDemos();
  const directory = createDemoDirectory();
  // Also if the daemon ends by itself.
  process.on("exit", () => removeDemoDirectory(directory.path));
  const configPath = writeDemoFiles(directory);
  const env = useDemoEnvironment(directory, configPath);
  process.chdir(directory.project);
  const daemon = await startDaemon(options.story ?? "choose");
  const { url } = await daemon.status();
  const demo = { daemon, url: url ?? "", directory, locale, env, ended, end };
  const code = options.isInTerminal
    ? await playInTerminal(demo, options)
    : await show(demo, options);
  writeWrapped(process.stderr, `\n${texts.ending}\n`);
  await daemon.stopAgents();
  await daemon.stop();
  process.chdir("/");
  removeDemoDirectory(directory.path);
  writeWrapped(process.stderr, `${texts.ended}\n`);
  process.exit(code);
}

async function startDaemon(demo: DemoChoice): Promise<Daemon> {
  const { serve } = await import("../daemon/serve.ts");
  return serve({ background: false, port: 0, foundConfig: undefined, conformance: false, demo });
}

async function playInTerminal(demo: Demo, { story }: DemoOptions): Promise<number> {
  const { playStory } = await import("../../doors/cli/demo/play-story.ts");
  const { url, locale, directory, ended, end } = demo;
  const place = { url, locale, command: commandName(), workingDirectory: directory.project };
  const played = playStory({ ...place, story, onInterrupt: end });
  return Promise.race([played, ended.then(() => 0)]);
}

async function show({ url, env, locale, ended, end }: Demo, options: DemoOptions) {
  const style = createStyle(abilitiesOf(env, process.stderr.isTTY));
  writeWrapped(process.stderr, renderDemoBanner({ url, command: commandName() }, locale, style));
  if (options.opensBrowser) openBrowser(url, desktopOf(env));
  const stopReading = onKey((key) => {
    if (key === CTRL_C || key.normalize("NFKC").toLowerCase() === "q") end();
  });
  await ended;
  stopReading();
  return 0;
}

/** Calls back for each key; in raw mode Ctrl-C is a key too. */
function onKey(pressed: (key: string) => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  stdin.setRawMode(true);
  stdin
    .setEncoding("utf8")
    .on("data", (keys: string) => Array.from(keys).forEach((key) => pressed(key)));
  stdin.resume();
  return () => {
    stdin.setRawMode(false);
    stdin.pause();
  };
}
