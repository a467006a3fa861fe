import { getSystem } from "../../../contract/routes/health.ts";
import { listRoles } from "../../../contract/routes/roles.ts";
import * as contract from "../../../contract/routes/templates.ts";
import type { WireTask } from "../../../contract/shapes/tasks.ts";
import type { WireTemplate } from "../../../contract/shapes/templates.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { Problem } from "../terminal/api.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import { Interrupted } from "../terminal/console.ts";
import { followTask } from "../terminal/follow-task.ts";
import type { Session } from "../terminal/session.ts";
import { completeValues, readPairs, WrongValues } from "./ask-values.ts";
import { followGroup } from "./follow-group.ts";
import { localeOf, renderTexts } from "./show-templates.ts";
import { TEMPLATE_TEXTS } from "./template-texts.ts";

export type UseTemplate = {
  readonly id: string;
  readonly pairs: readonly string[];
  readonly workingDirectory: string;
  readonly priority?: WireTask["priority"];
  readonly detach: boolean;
};

const EXIT = { ok: 0, notDone: 1, usage: 2 } as const;

/** `kuromajutsu template use ID` */
export async function useTemplate(session: Session, input: UseTemplate): Promise<number> {
  const { api, console, approvesAll } = session;
  const locale = localeOf(session);
  const template = await api.call(contract.getTemplate, { params: { id: input.id } });
  try {
    const given = readPairs(input.pairs, locale);
    const asking = { console, locale, program: session.program, takesDefaults: approvesAll };
    const values = await completeValues(template, given, asking);
    const hasReadUntrusted = template.isTrusted || (await showUntrusted(session, template));
    if (!hasReadUntrusted) return EXIT.notDone;
    const body = { values, locale, door: "terminal" as const, hasReadUntrusted };
    return template.kind === "role"
      ? await addRole(session, template, body)
      : await start(session, input, body);
  } catch (error) {
    // Ctrl-C, or the end of the input, at a question.
    if (error instanceof Interrupted) return EXIT.notDone;
    if (!(error instanceof WrongValues)) throw error;
    writeWrapped(process.stderr, `${visibleText(error.message)}\n`);
    return EXIT.usage;
  }
}

type Body = {
  readonly values: Readonly<Record<string, string>>;
  readonly locale: "ja" | "en";
  readonly door: "terminal";
  readonly hasReadUntrusted: boolean;
};

async function showUntrusted(session: Session, template: WireTemplate): Promise<boolean> {
  const { console } = session;
  const locale = localeOf(session);
  const texts = TEMPLATE_TEXTS[locale];
  console.print(texts.readUntrusted(visibleLine(template.path)));
  console.print(renderTexts(template, locale).join("\n"));
  const isRead = console.isInteractive && (await askYesNo(console, texts.confirmUntrusted, locale));
  if (!isRead) console.print(texts.notConfirmed(session.program));
  return isRead;
}

async function start(session: Session, input: UseTemplate, body: Body): Promise<number> {
  const { api, console, texts } = session;
  const words = TEMPLATE_TEXTS[localeOf(session)];
  const { rehearsalNote } = await api.call(getSystem);
  const { task, group, agentIds } = await api.call(contract.useTemplate, {
    params: { id: input.id },
    body: {
      ...body,
      workingDirectory: input.workingDirectory,
      ...(input.priority && { priority: input.priority }),
    },
  });
  if (task) console.print(texts.accepted(task.taskId));
  if (group) {
    console.print(words.started(group.groupId, agentIds.length));
    console.print(words.follow(new URL(`/groups/${group.groupId}`, api.url).href));
  }
  if (rehearsalNote !== undefined) console.print(`🎭 ${visibleLine(rehearsalNote)}`);
  if (input.detach) return EXIT.ok;
  if (task) return followTask(session, task.taskId);
  return group ? followGroup(session, group.groupId) : EXIT.ok;
}

/** Shows the lines that the configuration file gets, and asks. */
async function addRole(session: Session, template: WireTemplate, body: Body): Promise<number> {
  const { api, console, approvesAll } = session;
  const texts = TEMPLATE_TEXTS[localeOf(session)];
  const params = { id: template.id };
  const { config } = await api.call(listRoles);
  const seen = config.hash === null ? {} : { expectedHash: config.hash };
  const { role: plan } = await api.call(contract.useTemplate, {
    params,
    body: { ...body, ...seen, dryRun: true },
  });
  if (!plan?.yaml) throw new Error("The daemon did not say what it would write.");
  console.print(texts.roleChange(visibleLine(plan.path)));
  console.print(addedLines(plan.yaml.before, plan.yaml.after));
  const isAgreed =
    approvesAll ||
    (console.isInteractive &&
      (await askYesNo(console, texts.confirmRole(plan.roleId), localeOf(session))));
  if (!isAgreed) {
    console.print(texts.roleNeedsAnswer);
    return EXIT.notDone;
  }
  await api.call(contract.useTemplate, { params, body: { ...body, ...seen } });
  console.print(texts.roleAdded(plan.roleId, visibleLine(plan.path)));
  return EXIT.ok;
}

/** An edit adds one block of lines and leaves the others as they are. */
function addedLines(before: string, after: string): string {
  const old = before.split("\n");
  const lines = after.split("\n");
  const first = lines.findIndex((line, index) => line !== old[index]);
  const count = lines.length - old.length;
  return lines
    .slice(first, first + Math.max(1, count))
    .map((line) => `  + ${visibleText(line)}`)
    .join("\n");
}

export type SaveTemplate = {
  readonly taskId: string;
  readonly id?: string;
  readonly name?: string;
};

/** `kuromajutsu template save TASK`; asks before it overwrites one. */
export async function saveTemplate(session: Session, input: SaveTemplate): Promise<number> {
  const { api, console, approvesAll } = session;
  const texts = TEMPLATE_TEXTS[localeOf(session)];
  const send = (overwrite: boolean) =>
    api.call(contract.saveTemplate, { body: { ...input, overwrite } });
  const saved = await send(approvesAll).catch(async (error: unknown) => {
    const mayAsk = error instanceof Problem && error.code === "TEMPLATE_EXISTS";
    if (!mayAsk || !console.isInteractive) throw error;
    const isAgreed = await askYesNo(console, texts.overwrite(input.id ?? ""), localeOf(session));
    return isAgreed ? send(true) : undefined;
  });
  if (!saved) return EXIT.notDone;
  console.print(texts.saved(saved.id, visibleLine(saved.path)));
  console.print(texts.howToUse(session.program, saved.id));
  if (saved.removedSecrets > 0) console.print(texts.secretsRemoved(saved.removedSecrets));
  return EXIT.ok;
}

/** `kuromajutsu template remove ID` */
export async function removeTemplate(session: Session, id: string): Promise<number> {
  await session.api.call(contract.removeTemplate, { params: { id } });
  session.console.print(TEMPLATE_TEXTS[localeOf(session)].removed(id));
  return EXIT.ok;
}
