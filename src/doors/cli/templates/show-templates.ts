import * as contract from "../../../contract/routes/templates.ts";
import type { WireTemplate, WireTemplateSummary } from "../../../contract/shapes/templates.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { printJson } from "../terminal/print-list.ts";
import type { Session } from "../terminal/session.ts";
import { TEMPLATE_TEXTS, type TemplateTexts } from "./template-texts.ts";

export function localeOf({ texts }: Pick<Session, "texts">): Locale {
  return texts.locale;
}

/** `kuromajutsu template list` */
export async function listTemplates(session: Session, json: boolean): Promise<number> {
  const { api, console } = session;
  const listed = await api.call(contract.listTemplates);
  if (json) return printJson(console, listed);
  const locale = localeOf(session);
  const texts = TEMPLATE_TEXTS[locale];
  const width = Math.max(...listed.templates.map(({ id }) => id.length));
  for (const template of listed.templates) {
    const { id, name, description } = template;
    console.print(
      `${id.padEnd(width)}  ${visibleLine(name[locale])} (${kindOf(template, texts)})${notesOf(template, texts)}`,
    );
    console.print(`${" ".repeat(width)}  ${visibleLine(description[locale])}`);
  }
  if (listed.problems.length > 0) {
    console.print(`\n${texts.problems(new Set(listed.problems.map(({ path }) => path)).size)}`);
    for (const { path, line, text } of listed.problems) {
      console.print(
        `  ${visibleLine(path)}${line === null ? "" : `:${line}`}: ${visibleLine(text)}`,
      );
    }
  }
  console.print(`\n${texts.howToUse(session.program, "ID")}`);
  return 0;
}

/** `kuromajutsu template show ID` */
export async function showTemplate(session: Session, id: string, json: boolean): Promise<number> {
  const { api, console } = session;
  const template = await api.call(contract.getTemplate, { params: { id } });
  if (json) return printJson(console, template);
  console.print(renderTemplate(template, session));
  return 0;
}

function renderTemplate(template: WireTemplate, session: Session): string {
  const locale = localeOf(session);
  const texts = TEMPLATE_TEXTS[locale];
  const { missing, needsHelp } = template;
  return [
    `${visibleLine(template.name[locale])} (${kindOf(template, texts)})${notesOf(template, texts)}`,
    visibleText(template.description[locale]),
    `${texts.file}: ${visibleLine(template.path)}`,
    ...(missing.servers.length > 0 ? [`! ${texts.needsServers(namesOf(missing.servers))}`] : []),
    ...(missing.roles.length > 0 ? [`! ${texts.needsRoles(namesOf(missing.roles))}`] : []),
    ...(needsHelp && missing.servers.length > 0 ? [`  → ${visibleText(needsHelp[locale])}`] : []),
    ...renderTexts(template, locale),
    "",
    texts.howToUse(session.program, template.id),
  ].join("\n");
}

/** Every text that agents get, for a person to read, and the values that are filled in. */
export function renderTexts(template: WireTemplate, locale: Locale): readonly string[] {
  const hasValues = template.values.length > 0;
  return [
    ...(hasValues ? ["", TEMPLATE_TEXTS[locale].values, ...valueLines(template, locale)] : []),
    ...template.texts.flatMap(({ label, role, text }) => [
      "",
      `── ${label}${role === null ? "" : ` · ${role}`}`,
      visibleText(text[locale].trimEnd()),
    ]),
  ];
}

function valueLines({ values }: WireTemplate, locale: Locale): readonly string[] {
  const texts = TEMPLATE_TEXTS[locale];
  return values.map(({ name, label, default: usual, choices }) => {
    const facts = [
      usual === null ? texts.required : texts.usual(visibleLine(usual[locale]) || '""'),
      ...(choices.length > 0
        ? [texts.choices(choices.map((words) => visibleLine(words[locale])).join(" / "))]
        : []),
    ];
    return `  ${name}: ${visibleLine(label[locale])} (${facts.join("; ")})`;
  });
}

function namesOf(names: readonly string[]): string {
  return names.map(visibleLine).join(", ");
}

function kindOf({ kind, mode }: WireTemplateSummary, texts: TemplateTexts): string {
  return mode === null ? texts.kind[kind] : `${texts.kind[kind]}, ${texts.mode[mode]}`;
}

function notesOf(template: WireTemplateSummary, texts: TemplateTexts): string {
  const { source, isTrusted, missing } = template;
  const notes = [
    ...(source === "builtin" ? [] : [isTrusted ? texts.source[source] : texts.untrusted]),
    ...(missing.servers.length > 0 ? [texts.needsServers(namesOf(missing.servers))] : []),
  ];
  return notes.map((note) => `  [${note}]`).join("");
}
