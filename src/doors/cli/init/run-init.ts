import type { PlannedChange, PlannedFile, Setup, SetupChoice } from "../../../app/ports/setup.ts";
import { CLIENT_IDS, CLIENT_TITLES } from "../../../contract/mcp-clients.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import { type Console, createConsole, Interrupted } from "../terminal/console.ts";
import { askChoice } from "./ask-choice.ts";
import { INIT_TEXTS, type InitTexts } from "./init-texts.ts";
import { showFile, titleOf } from "./show-file.ts";

const NOT_WRITTEN = 1;
const NO_TERMINAL = 2;

export type InitOptions = {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly clients: SetupChoice["clients"] | undefined;
  readonly runner: SetupChoice["runner"] | undefined;
  readonly scope: SetupChoice["scope"] | undefined;
};

/** Returns the exit code. */
export async function runInit(setup: Setup, options: InitOptions): Promise<number> {
  const console = createConsole({ input: process.stdin, output: process.stdout }, () =>
    process.exit(130),
  );
  try {
    return await initialize(setup, console, options);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    console.print(INIT_TEXTS[setup.locale].nothingWritten);
    return NOT_WRITTEN;
  } finally {
    console.close();
  }
}

export async function initialize(
  setup: Setup,
  console: Console,
  options: InitOptions,
): Promise<number> {
  const texts = INIT_TEXTS[setup.locale];
  if (options.scope === "project" && !setup.isProject) throw new Error(texts.noProject);
  const isAsking = console.isInteractive && !options.yes && !options.dryRun;
  const choice = await choose(setup, console, options, isAsking);
  const files = await setup.plan(choice);
  for (const file of files) console.print(`\n${showFile(file, texts)}`);
  if (choice.runner !== "auto" && files.some(isKeptConfig))
    console.print(texts.setRunner(choice.runner));
  console.print("");

  const changes = files.filter((file) => isChange(file));
  const isAllPlanned = files.every(({ kind }) => kind !== "refused");
  if (changes.length === 0) {
    console.print(texts.nothingToDo);
    return isAllPlanned ? 0 : NOT_WRITTEN;
  }
  if (options.dryRun) {
    console.print(texts.dryRun);
    return isAllPlanned ? 0 : NOT_WRITTEN;
  }
  if (!options.yes && !console.isInteractive) {
    console.print(texts.noTerminal(`${setup.program} init --yes`));
    return NO_TERMINAL;
  }
  const accepted = options.yes ? changes : await askChanges(setup, console, changes);
  const isWritten = await write(setup, console, texts, accepted);
  if (accepted.length === 0) console.print(texts.nothingWritten);
  else printNext(setup, console, texts, accepted);
  return isAllPlanned && isWritten && accepted.length === changes.length ? 0 : NOT_WRITTEN;
}

async function choose(
  setup: Setup,
  console: Console,
  { clients, runner, scope }: InitOptions,
  isAsking: boolean,
): Promise<SetupChoice> {
  const texts = INIT_TEXTS[setup.locale];
  const [runners, found] = await Promise.all([setup.findRunners(), setup.findClients()]);
  const clis = runners.map(({ id, command }) => `${id} (${visibleLine(command)})`).join(", ");
  console.print(clis === "" ? texts.noClis : texts.clis(clis));
  const names = found.map((id) => CLIENT_TITLES[id]).join(", ");
  console.print(names === "" ? texts.noClients(CLIENT_IDS.join(", ")) : texts.clients(names));
  const ids = runners.map(({ id }) => id);
  const given = {
    ...(clients && { clients: CLIENT_IDS.filter((id) => clients.includes(id)) }),
    ...(runner && { runner }),
    ...(scope && { scope }),
  };
  const { isProject } = setup;
  const choice: SetupChoice = isAsking
    ? await askChoice(console, texts, { clients: found, runners: ids, isProject }, given)
    : { clients: found, scope: "nearest", runner: "auto", ...given };
  const needsCli = choice.runner !== "auto" && choice.runner !== "rehearsal";
  if (needsCli && !ids.some((id) => id === choice.runner)) {
    console.print(texts.notInstalled(choice.runner));
  }
  return choice;
}

function isChange(file: PlannedFile): file is PlannedChange {
  return file.kind === "create" || file.kind === "add" || file.kind === "change";
}

const isKeptConfig = ({ owner, kind }: PlannedFile): boolean =>
  owner === "kuromajutsu" && kind === "same";

/** New entries are one question; an entry that would be changed is a question of its own. */
async function askChanges(
  { locale }: Pick<Setup, "locale">,
  console: Console,
  changes: readonly PlannedChange[],
): Promise<readonly PlannedChange[]> {
  const texts = INIT_TEXTS[locale];
  const accepted = new Set<PlannedChange>();
  for (const file of changes.filter(({ kind }) => kind === "change")) {
    if (await askYesNo(console, texts.askChange(visibleLine(file.path)), locale))
      accepted.add(file);
  }
  const additions = changes.filter(({ kind }) => kind !== "change");
  if (additions.length > 0 && (await askYesNo(console, texts.askWrite(additions.length), locale))) {
    for (const file of additions) accepted.add(file);
  }
  return changes.filter((file) => accepted.has(file));
}

async function write(
  setup: Setup,
  console: Console,
  texts: InitTexts,
  files: readonly PlannedChange[],
): Promise<boolean> {
  let isWritten = true;
  for (const file of files) {
    const path = visibleLine(file.path);
    const problem = await setup.write(file);
    if (problem) isWritten = false;
    console.print(
      problem
        ? `! ${texts.notWritten(path)}\n  ${texts.problem(problem, path)}`
        : texts.written(path),
    );
  }
  return isWritten;
}

function printNext(
  { program }: Setup,
  console: Console,
  texts: InitTexts,
  written: readonly PlannedChange[],
): void {
  const clients = written.map(({ owner }) => owner).filter((owner) => owner !== "kuromajutsu");
  console.print(`\n${texts.next}`);
  console.print(texts.doctor(program));
  if (clients.length > 0) console.print(texts.restart(clients.map(titleOf).join(", ")));
  console.print(texts.dashboard(program));
}
