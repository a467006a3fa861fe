import { parseArgs } from "node:util";
import { flagName } from "./build-program.ts";
import { type Command, PARAMETER_HELP } from "./define-command.ts";

const DEFAULT_COMMAND = "serve";

export type Request = {
  /** With the words of the command first. */
  readonly argv: readonly string[];
  readonly wantsHelp: boolean;
  readonly config: string | undefined;
};

/**
 * Options may stand before the command (`kuromajutsu --json status`), and `help`, `version` and
 * `serve` are implied or have two spellings. The framework takes none of this, so it is rewritten.
 */
export function readRequest(argv: readonly string[], commands: readonly Command[]): Request {
  const { tokens, values } = parseArgs({
    args: [...argv],
    options: optionTypes(commands),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words = tokens.filter((token) => token.kind === "positional");
  const isHelp = words[0]?.value === "help";
  const wantsHelp = isHelp || values["help"] === true;
  const config = typeof values["config"] === "string" ? values["config"] : undefined;
  const request = (rewritten: readonly string[]) => ({ argv: rewritten, wantsHelp, config });
  if (!wantsHelp && (values["version"] === true || words[0]?.value === "version")) {
    return request(["--version"]);
  }
  const path = pathIn(isHelp ? words.slice(1) : words, commands);
  const name = path.map(({ value }) => value);
  // An unknown command is refused even if help is asked for, so that a typing error is noticed.
  if (wantsHelp) return request(isKnown(name, commands) ? [...name, "--help"] : name);
  const indexes = new Set(path.map(({ index }) => index));
  const rest = argv.filter((_, index) => !indexes.has(index));
  return request(name.length === 0 ? [DEFAULT_COMMAND, ...rest] : [...name, ...rest]);
}

type Word = { readonly value: string; readonly index: number };

/** The first word, or the first two where the first one names a group of commands. */
function pathIn(words: readonly Word[], commands: readonly Command[]): readonly Word[] {
  const isGroup = commands.some(({ name }) => name.startsWith(`${words[0]?.value} `));
  return words.slice(0, isGroup ? 2 : 1);
}

function isKnown(words: readonly string[], commands: readonly Command[]): boolean {
  const path = words.join(" ");
  return path === "" || commands.some(({ name }) => name === path || name.startsWith(`${path} `));
}

function optionTypes(commands: readonly Command[]) {
  const options = commands.flatMap((command) => Object.entries(command.options));
  const entries = options.map(([key, schema]) => {
    const { placeholder, short, isValueOptional, negated } = PARAMETER_HELP.get(schema) ?? {};
    // As a string it would take the next option for its value.
    const isFlag = placeholder === undefined || isValueOptional === true;
    const type = isFlag ? ("boolean" as const) : ("string" as const);
    return [flagName(key, negated).slice(2), { type, ...(short && { short }) }] as const;
  });
  return {
    ...Object.fromEntries(entries),
    help: { type: "boolean", short: "h" },
    version: { type: "boolean", short: "v" },
  } as const;
}
