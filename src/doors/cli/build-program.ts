import { Argument, Command as Node, Option } from "commander";
import type { z } from "zod";
import type { Locale } from "../../domain/locale.ts";
import { type Command, PARAMETER_HELP } from "./define-command.ts";
import { widthOf, wrapColumns } from "./screen/columns.ts";
import { USAGE_TEXTS, type UsageTexts } from "./usage-texts.ts";

const HELP_WIDTH = 100;
const NARROWEST_HELP = 40;
/** The program in the examples of the commands. */
const PROGRAM = /^kuromajutsu\b/;
const ROOT_EXAMPLES = [
  "kuromajutsu serve --port 9700",
  'kuromajutsu run "…"',
  "kuromajutsu --config FILE status",
];

/** The framework has stopped: help or the version was printed (exit code 0), or it refuses. */
export class Stopped extends Error {
  readonly exitCode: number;
  readonly code: string;
  readonly node: Node;

  constructor(node: Node, error: { exitCode: number; code: string; message: string }) {
    super(error.message);
    this.name = "Stopped";
    this.exitCode = error.exitCode;
    this.code = error.code;
    this.node = node;
  }
}

export type BuildProgram = {
  readonly commands: readonly Command[];
  readonly version: string;
  /** How a person starts this program. */
  readonly program: string;
  readonly locale: Locale;
  readonly run: (
    command: Command,
    args: Readonly<Record<string, unknown>>,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
};

export function buildProgram(options: BuildProgram): Node {
  const { commands, version, locale, run } = options;
  const texts = USAGE_TEXTS[locale];
  const program = new Node(options.program)
    .description(texts.title)
    .usage("[command] [options]")
    .version(version, "-v, --version", texts.versionOption)
    .helpCommand(false)
    .addHelpText("after", examplesText(ROOT_EXAMPLES, options.program, texts))
    .addHelpText("after", `\n${texts.footer(options.program)}`)
    // The caller prints errors, in the language of the configuration.
    .configureOutput({ writeErr: () => {} })
    .configureHelp({
      ...helpLayout(process.stdout),
      styleTitle: (title) => texts.headings[title] ?? title,
      subcommandTerm: (node) => [node.name(), ...node.registeredArguments.map(termOf)].join(" "),
    });
  prepare(program, texts);
  for (const command of commands) addCommand(program, command, { locale, texts, run });
  return program;
}

/** On a terminal the help fits its width; Japanese, which has no spaces, is wrapped too. */
function helpLayout({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }) {
  if (isTTY !== true || !columns) return { helpWidth: HELP_WIDTH };
  return {
    helpWidth: Math.min(HELP_WIDTH, Math.max(NARROWEST_HELP, columns - 1)),
    displayWidth: widthOf,
    boxWrap: (text: string, width: number) =>
      text
        .split("\n")
        .flatMap((line) => wrapColumns(line, width))
        .join("\n"),
  };
}

type Building = Pick<BuildProgram, "locale" | "run"> & { readonly texts: UsageTexts };

function addCommand(program: Node, command: Command, { locale, texts, run }: Building): void {
  const words = command.name.split(" ");
  const name = words.pop() ?? "";
  const parent = words.length === 0 ? program : groupOf(program, words.join(" "), texts);
  const summary = command.summary[locale];
  const details = command.details?.[locale];
  const node = prepare(parent.command(name), texts)
    .summary(summary)
    .description(details === undefined ? summary : `${summary}\n\n${details}`)
    .addHelpText("after", examplesText(command.examples, program.name(), texts));
  const names = Object.keys(command.arguments);
  for (const [key, schema] of Object.entries(command.arguments)) {
    const isOptional = schema.safeParse(undefined).success;
    node.addArgument(new Argument(isOptional ? `[${key}]` : `<${key}>`, textOf(schema, locale)));
  }
  for (const [key, schema] of Object.entries(command.options)) {
    node.addOption(optionFor(key, schema, locale));
  }
  node
    .usage([...node.registeredArguments.map(termOf), "[options]"].join(" "))
    .action(() =>
      run(
        command,
        Object.fromEntries(names.map((key, index) => [key, node.processedArgs[index]])),
        node.opts(),
      ),
    );
}

function groupOf(program: Node, name: string, texts: UsageTexts): Node {
  const found = program.commands.find((node) => node.name() === name);
  return (
    found ??
    prepare(program.command(name), texts)
      .description(texts.groups[name] ?? name)
      .usage("[command] [options]")
  );
}

function prepare(node: Node, texts: UsageTexts): Node {
  return node
    .helpOption("-h, --help", texts.helpOption)
    .helpCommand(false)
    .exitOverride((error) => {
      throw new Stopped(node, error);
    });
}

function optionFor(key: string, schema: z.ZodType, locale: Locale): Option {
  const help = PARAMETER_HELP.get(schema);
  const { placeholder, short, hidden, isRepeated, isValueOptional, negated } = help ?? {};
  const value = isValueOptional ? `[${placeholder}]` : `<${placeholder}>`;
  const flags = `${short ? `-${short}, ` : ""}${flagName(key, negated)}${placeholder ? ` ${value}` : ""}`;
  const option = new Option(flags, textOf(schema, locale)).hideHelp(hidden ?? false);
  return isRepeated ? option.argParser(addTo) : option;
}

function addTo(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

function textOf(schema: z.ZodType, locale: Locale): string {
  return PARAMETER_HELP.get(schema)?.text[locale] ?? "";
}

export function flagName(key: string, negated = false): string {
  return `--${negated ? "no-" : ""}${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function termOf(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function examplesText(examples: readonly string[], program: string, texts: UsageTexts): string {
  const lines = examples.map((example) => `  ${example.replace(PROGRAM, () => program)}`);
  return `\n${texts.examples}\n${lines.join("\n")}`;
}

/** The words that a person types to select this command. */
export function pathOf(node: Node): string {
  return node.parent ? `${pathOf(node.parent)} ${node.name()}` : node.name();
}
