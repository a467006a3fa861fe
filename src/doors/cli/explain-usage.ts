import type { Command as Node } from "commander";
import { visibleLine } from "../../contract/visible-text.ts";
import type { Locale } from "../../domain/locale.ts";
import { nearest } from "../../domain/text/nearest.ts";
import { flagName, pathOf, type Stopped } from "./build-program.ts";
import type { Command, InvalidParameter } from "./define-command.ts";
import { USAGE_TEXTS, type UsageTexts } from "./usage-texts.ts";

/** What is wrong with the command line, and how it is used, in the language of the configuration. */
export function explainUsage({ node, code, message }: Stopped, locale: Locale): string {
  const texts = USAGE_TEXTS[locale];
  const [, quoted = ""] = /'(.+?)'/.exec(message) ?? [];
  const [, similar] = /\(Did you mean (?:one of )?(.+)\?\)$/.exec(message) ?? [];
  const suggestion = similar === undefined ? [] : [texts.didYouMean(similar)];
  const lines = [
    problemOf(node, code, visibleLine(quoted), texts),
    ...suggestion,
    ...usageOf(node, code),
  ];
  return `${[...lines, texts.seeHelp(pathOf(node))].join("\n")}\n`;
}

function problemOf(node: Node, code: string, quoted: string, texts: UsageTexts): string {
  switch (code) {
    case "commander.unknownCommand":
      return texts.unknownCommand(wordsOf(node, quoted));
    case "commander.unknownOption":
      return texts.unknownOption(quoted);
    case "commander.missingArgument":
      return texts.missingArgument(quoted);
    case "commander.optionMissingArgument":
      return texts.missingValue(quoted);
    case "commander.excessArguments":
      return texts.unexpected(
        visibleLine(node.args.slice(node.registeredArguments.length).join(" ")),
      );
    case "commander.help":
      return texts.missingCommand(pathOf(node));
    default:
      throw new Error(`The CLI framework reports an unknown error: ${code}.`);
  }
}

/** `audit delete` for the word "delete" in the group `audit`. */
function wordsOf(node: Node, word: string): string {
  return node.parent ? `${node.name()} ${word}` : word;
}

function usageOf(node: Node, code: string): readonly string[] {
  if (code === "commander.missingArgument") return [usageLine(node)];
  return node.parent && node.commands.length > 0 ? node.commands.map(usageLine) : [];
}

function usageLine(node: Node): string {
  return `  ${pathOf(node)} ${node.usage()}`;
}

export function explainInvalid(
  { refused }: InvalidParameter,
  typed: string,
  command: Command,
  locale: Locale,
): string {
  const texts = USAGE_TEXTS[locale];
  const { parameter, found, choices, help } = refused;
  const name = parameter in command.options ? flagName(parameter) : `<${parameter}>`;
  const expected =
    choices.length > 0 ? texts.oneOf(choices.join(", ")) : (help?.expected ?? help?.text)?.[locale];
  const problem = texts.invalidValue(name, visibleLine(found), expected ?? "");
  const similar = nearest(found, choices);
  const suggestion = similar === undefined ? "" : `\n${texts.didYouMean(similar)}`;
  return `${problem}${suggestion}\n${texts.seeHelp(typed)}\n`;
}
