import { z } from "zod";
import type { Locale } from "../../domain/locale.ts";
import type { Cli } from "./cli.ts";

export type Localized = Readonly<Record<Locale, string>>;

/** What the help says about an argument or an option. */
export type ParameterHelp = {
  readonly text: Localized;
  /** Stands for the value of an option; a flag has none. */
  readonly placeholder?: string;
  readonly short?: string;
  readonly hidden?: boolean;
  /** `--patch` and `--patch PATH` are both complete. */
  readonly isValueOptional?: boolean;
  /** The option may be given several times; each adds a value. */
  readonly isRepeated?: boolean;
  /** `--no-open`: without it the value is true. */
  readonly negated?: boolean;
  /** Shown when a value is refused; the choices are, if there are any. */
  readonly expected?: Localized;
};

export const PARAMETER_HELP = z.registry<ParameterHelp>();

export const flag = (text: Localized, more: Pick<ParameterHelp, "short" | "hidden"> = {}) =>
  z
    .boolean()
    .default(false)
    .register(PARAMETER_HELP, { text, ...more });

export const negatedFlag = (text: Localized) =>
  z.boolean().default(true).register(PARAMETER_HELP, { text, negated: true });

export const option = (placeholder: string, text: Localized) =>
  z.string().optional().register(PARAMETER_HELP, { text, placeholder });

/** An option whose value may be left out; it is then `true`. */
export const optionWithDefault = (placeholder: string, text: Localized) =>
  z
    .union([z.literal(true), z.string()])
    .optional()
    .register(PARAMETER_HELP, { text, placeholder, isValueOptional: true });

export const choice = <const Value extends string>(
  placeholder: string,
  values: readonly Value[],
  text: Localized,
) => z.enum(values).optional().register(PARAMETER_HELP, { text, placeholder });

/** An option with several values: `--client a b`, or `--client a --client b`. */
export const choiceList = <const Value extends string>(
  placeholder: string,
  values: readonly Value[],
  text: Localized,
) =>
  z
    .array(z.enum(values))
    .optional()
    .register(PARAMETER_HELP, { text, placeholder: `${placeholder}...` });

/** An option that may be given several times: `--set a=1 --set b=2`. */
export const repeatedOption = (placeholder: string, text: Localized) =>
  z.array(z.string()).optional().register(PARAMETER_HELP, { text, placeholder, isRepeated: true });

/** An option whose text must match the schema, such as a port. */
export function checkedOption<Schema extends z.ZodType>(schema: Schema, help: ParameterHelp) {
  const optional = schema.optional();
  PARAMETER_HELP.add(optional, help);
  return optional;
}

export const argument = (text: Localized) => z.string().min(1).register(PARAMETER_HELP, { text });

export const requiredChoice = <const Value extends string>(
  values: readonly Value[],
  text: Localized,
) => z.enum(values).register(PARAMETER_HELP, { text });

export const optionalArgument = (text: Localized) =>
  z.string().optional().register(PARAMETER_HELP, { text });

export const optionalChoice = <const Value extends string>(
  values: readonly Value[],
  text: Localized,
) => z.enum(values).optional().register(PARAMETER_HELP, { text });

/** Parameters by name. `stopAgents` is `--stop-agents` on the command line. */
type Shape = Readonly<Record<string, z.ZodType>>;
type ValuesOf<S extends Shape> = z.infer<z.ZodObject<S>>;

type Definition<Arguments extends Shape, Options extends Shape> = {
  /** The words that select the command, such as `user add`. */
  readonly name: string;
  readonly summary: Localized;
  /** What the summary leaves out, such as exit codes. */
  readonly details?: Localized;
  readonly examples: readonly string[];
  /** In the order in which they are given. */
  readonly arguments: Arguments;
  readonly options: Options;
  /** Returns the exit code. */
  readonly run: (
    cli: Cli,
    args: ValuesOf<Arguments>,
    options: ValuesOf<Options>,
  ) => Promise<number>;
};

export type Command = Omit<Definition<Shape, Shape>, "run"> & {
  /** Rejects with InvalidParameter if a value is refused. */
  readonly run: (
    cli: Cli,
    args: Readonly<Record<string, unknown>>,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<number>;
};

type Refused = {
  readonly parameter: string;
  readonly found: string;
  readonly choices: readonly string[];
  readonly help: ParameterHelp | undefined;
};

/** The command line is understood, but a value in it is not one that the command takes. */
export class InvalidParameter extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(`${refused.parameter}: "${refused.found}"`);
    this.name = "InvalidParameter";
    this.refused = refused;
  }
}

export function defineCommand<const Arguments extends Shape, const Options extends Shape>(
  definition: Definition<Arguments, Options>,
): Command {
  return {
    ...definition,
    run: async (cli, args, options) =>
      definition.run(cli, read(definition.arguments, args), read(definition.options, options)),
  };
}

function read<S extends Shape>(shape: S, raw: Readonly<Record<string, unknown>>): ValuesOf<S> {
  const result = z.object(shape).safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const parameter = String(issue?.path[0]);
  const schema = shape[parameter];
  const choices = issue?.code === "invalid_value" ? issue.values.map(String) : [];
  throw new InvalidParameter({
    parameter,
    found: String(raw[parameter]),
    choices,
    help: schema && PARAMETER_HELP.get(schema),
  });
}

/** `--json` of commands that list or show something: the answer of the REST route, for scripts. */
export const JSON_OPTION = {
  json: flag({
    en: "print JSON, as the REST API answers",
    ja: "JSON で出力します（REST API の応答と同じ形）",
  }),
};

/** `--config`, which every command takes that looks for a daemon or a configuration file. */
export const CONFIG_OPTION = {
  config: option("FILE", {
    en: "use this configuration file and trust it (default: search up to the root of the repository or the home directory)",
    ja: "使う設定ファイル。指定したファイルは信頼されます（省略時はリポジトリのルートかホームディレクトリまで探します）",
  }),
};
