import { z } from "zod";
import type { Locale } from "../../../domain/locale.ts";
import { flagName } from "../build-program.ts";
import { type Command, PARAMETER_HELP } from "../define-command.ts";
import { USAGE_TEXTS } from "../usage-texts.ts";

export type Candidate = { readonly value: string; readonly text: string };

/** Ids that only a running daemon knows. */
export const ID_KINDS = [
  "tasks",
  "approvals",
  "agents",
  "groups",
  "changes",
  "workspaces",
  "templates",
] as const;
export type IdKind = (typeof ID_KINDS)[number];

export type Completion = {
  readonly candidates: readonly Candidate[];
  readonly ids: IdKind | undefined;
};

const NOTHING: Completion = { candidates: [], ids: undefined };
/** Arguments that are ids, by the name of the command and of the argument. */
const ID_ARGUMENTS: Readonly<Record<string, IdKind>> = {
  "tasks id": "tasks",
  "approvals id": "approvals",
  "agents id": "agents",
  "groups id": "groups",
  "logs agent": "agents",
  "agents group": "groups",
  "changes id": "changes",
  "changes group": "groups",
  "changes task": "tasks",
  "merge id": "changes",
  "discard id": "changes",
  "workspaces retire": "workspaces",
  "template use id": "templates",
  "template show id": "templates",
  "template remove id": "templates",
};

/** What can stand where the last word is being typed. */
export function completeWords(
  words: readonly string[],
  commands: readonly Command[],
  locale: Locale,
): Completion {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const path = before[0] === "help" ? before.slice(1) : before;
  const { command, positionals, pending } = parse(path, commands);
  if (!command) return subcommands(positionals, current, commands, locale);
  if (before[0] === "help") return NOTHING;
  const isOption = current.startsWith("-");
  if (pending !== undefined && !(isOption && hasOptionalValue(command, pending))) {
    return valuesOf(command, pending, current);
  }
  if (isOption) return optionsOf(command, current, locale);
  const name = Object.keys(command.arguments)[positionals.length];
  return name === undefined ? NOTHING : valuesOf(command, name, current);
}

type Parsed = {
  readonly command: Command | undefined;
  /** Words of a command that is not complete yet, or the arguments after it. */
  readonly positionals: readonly string[];
  /** An option that still needs its value. */
  readonly pending: string | undefined;
};

function parse(words: readonly string[], commands: readonly Command[]): Parsed {
  let command: Command | undefined;
  let positionals: string[] = [];
  let pending: string | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      const isValue = !(word.startsWith("-") && hasOptionalValue(command, pending));
      pending = undefined;
      if (isValue) continue;
    }
    if (word.startsWith("-")) {
      const key = Object.keys(command?.options ?? {}).find((each) => flagName(each) === word);
      const schema = key === undefined ? undefined : command?.options[key];
      if (schema && PARAMETER_HELP.get(schema)?.placeholder) pending = key;
      continue;
    }
    positionals.push(word);
    const found = command ? undefined : commands.find(({ name }) => name === positionals.join(" "));
    if (found) {
      command = found;
      positionals = [];
    }
  }
  return { command, positionals, pending };
}

function hasOptionalValue(command: Command | undefined, key: string): boolean {
  const schema = command?.options[key];
  return schema !== undefined && PARAMETER_HELP.get(schema)?.isValueOptional === true;
}

function subcommands(
  typed: readonly string[],
  current: string,
  commands: readonly Command[],
  locale: Locale,
): Completion {
  const texts = USAGE_TEXTS[locale];
  const found = new Map<string, string>();
  for (const { name, summary } of commands) {
    const words = name.split(" ");
    if (!typed.every((word, index) => words[index] === word)) continue;
    const next = words[typed.length];
    if (next === undefined || found.has(next)) continue;
    const isGroup = words.length > typed.length + 1;
    found.set(next, isGroup ? (texts.groups[next] ?? summary[locale]) : summary[locale]);
  }
  if (typed.length === 0) found.set("help", texts.helpOption);
  const candidates = [...found].map(([value, text]) => ({ value, text }));
  return { candidates: beginning(candidates, current), ids: undefined };
}

function optionsOf({ options }: Command, current: string, locale: Locale): Completion {
  const own = Object.entries(options)
    .filter(([, schema]) => PARAMETER_HELP.get(schema)?.hidden !== true)
    .map(([key, schema]) => ({
      value: flagName(key),
      text: PARAMETER_HELP.get(schema)?.text[locale] ?? "",
    }));
  const help = { value: "--help", text: USAGE_TEXTS[locale].helpOption };
  return { candidates: beginning([...own, help], current), ids: undefined };
}

function valuesOf(command: Command, name: string, current: string): Completion {
  const schema = command.arguments[name] ?? command.options[name];
  const choices = schema ? choicesOf(schema) : [];
  const candidates = choices.map((value) => ({ value, text: "" }));
  return {
    candidates: beginning(candidates, current),
    ids: ID_ARGUMENTS[`${command.name} ${name}`],
  };
}

function choicesOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return choicesOf(schema.unwrap());
  }
  if (schema instanceof z.ZodArray) return choicesOf(schema.element);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

export function beginning(candidates: readonly Candidate[], current: string): readonly Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(current));
}
