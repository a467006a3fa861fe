import type { SetupChoice } from "../../../app/ports/setup.ts";
import { CLIENT_IDS, type ClientId } from "../../../contract/mcp-clients.ts";
import { RUNNER_CHOICES } from "../../../contract/values.ts";
import type { RunnerId } from "../../../domain/agents/runner.ts";
import type { Console } from "../terminal/console.ts";
import type { InitTexts } from "./init-texts.ts";

export type Found = {
  readonly clients: readonly ClientId[];
  readonly runners: readonly RunnerId[];
  readonly isProject: boolean;
};

/** Asks for what the command line leaves open, where there is a choice. */
export async function askChoice(
  console: Console,
  texts: InitTexts,
  found: Found,
  given: Partial<SetupChoice>,
): Promise<SetupChoice> {
  const clients = given.clients ?? (await askClients(console, texts, found.clients));
  const isScopeOpen = found.isProject && clients.length > 0;
  return {
    clients,
    scope: given.scope ?? (isScopeOpen ? await askScope(console, texts) : "nearest"),
    runner: given.runner ?? (await askRunner(console, texts, found.runners)),
  };
}

async function askClients(
  console: Console,
  texts: InitTexts,
  found: readonly ClientId[],
): Promise<readonly ClientId[]> {
  for (;;) {
    const said = await ask(console, texts.askClients(found.join(", ") || "none"));
    if (said === "") return found;
    if (said === "none") return [];
    const names = said.split(/[\s,、]+/).filter(Boolean);
    const unknown = names.find((name) => !CLIENT_IDS.some((id) => id === name));
    if (unknown === undefined) return CLIENT_IDS.filter((id) => names.includes(id));
    console.print(texts.noSuchClient(unknown, CLIENT_IDS.join(", ")));
  }
}

async function askScope(console: Console, texts: InitTexts): Promise<SetupChoice["scope"]> {
  for (;;) {
    const said = await ask(console, texts.askScope);
    if (said === "" || said === "project") return "nearest";
    if (said === "global") return "global";
    console.print(texts.noSuchAnswer("project, global"));
  }
}

async function askRunner(
  console: Console,
  texts: InitTexts,
  found: readonly RunnerId[],
): Promise<SetupChoice["runner"]> {
  if (found.length < 2) return "auto";
  for (;;) {
    const said = (await ask(console, texts.askRunner(found.join(", ")))) || "auto";
    const chosen = RUNNER_CHOICES.find((id) => id === said);
    if (chosen !== undefined) return chosen;
    console.print(texts.noSuchAnswer(RUNNER_CHOICES.join(", ")));
  }
}

async function ask(console: Console, question: string): Promise<string> {
  return (await console.ask(question, new AbortController().signal)).toLowerCase();
}
