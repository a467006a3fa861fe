import { type Config, configSchema } from "../../contract/config.ts";
import type { Role } from "../../domain/role.ts";
import { checkReferences } from "./check-references.ts";
import { ConfigError, type ConfigProblem } from "./config-error.ts";
import { explainIssues, type SettingProblem } from "./explain-issue.ts";
import { knownKeysAt } from "./known-keys.ts";
import { CONFIG_FILE_NAME, dataDirFor, type Env } from "./locate.ts";
import { parseConfigText, type ParsedText } from "./parse-config-text.ts";
import { readConfigFile } from "./read-config-file.ts";
import { type EnvSettings, readEnv } from "./read-env.ts";
import { type ConfiguredRoleTool, resolveRoles, resolveTools } from "./resolve-roles.ts";

export type LoadConfig = {
  readonly path: string | undefined;
  /** Somebody named this very file: it must exist. */
  readonly explicit: boolean;
  readonly env: Env;
};

export type LoadedConfig = {
  /** The file with the environment laid over it. */
  readonly config: Config;
  readonly bind: string;
  readonly dataDir: string;
  readonly roles: readonly Role[];
  readonly tools: readonly ConfiguredRoleTool[];
  readonly path: string | null;
  /** Where the settings come from, a sentence each, for the log. */
  readonly notes: readonly string[];
};

/** Environment over file over defaults. Throws one ConfigError that names every problem. */
export async function loadConfig({ path, explicit, env }: LoadConfig): Promise<LoadedConfig> {
  const fromEnv = readEnv(env);
  const text = path === undefined ? undefined : await readFileOf(path, explicit, fromEnv);
  const { config: fromFile, problems } = parseConfig(text ?? "", path ?? CONFIG_FILE_NAME);
  const all = [...fromEnv.problems, ...problems];
  if (fromFile === undefined || all.length > 0) throw new ConfigError(all);

  const config = overlay(fromFile, fromEnv);
  const used = text === undefined ? undefined : path;
  return {
    config,
    bind: fromEnv.bind,
    dataDir: dataDirFor(used, env),
    roles: resolveRoles(config),
    tools: resolveTools(config),
    path: used ?? null,
    notes: [sourceNote(used, text), ...overrideNotes(fromEnv)],
  };
}

async function readFileOf(path: string, explicit: boolean, fromEnv: EnvSettings) {
  try {
    return await readConfigFile(path, explicit);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([...fromEnv.problems, ...error.problems]);
  }
}

function parseConfig(
  text: string,
  path: string,
): { readonly config: Config | undefined; readonly problems: readonly ConfigProblem[] } {
  const parsed = parseConfigText(text, path);
  if (parsed.data === undefined) return { config: undefined, problems: parsed.problems };

  const { value } = parsed.data;
  const result = configSchema.safeParse(value);
  const issues = result.success ? [] : explainIssues(result.error.issues, value, knownKeysAt);
  const settings = [...issues, ...checkReferences(value)];
  return {
    config: result.data,
    problems: [...parsed.problems, ...settings.map((problem) => placed(problem, parsed))],
  };
}

function placed({ path, key, text }: SettingProblem, parsed: ParsedText): ConfigProblem {
  return {
    text,
    at: key === undefined ? parsed.positionOf(path) : parsed.positionOfKey(path, key),
  };
}

function overlay(config: Config, { port, logLevel }: EnvSettings): Config {
  return {
    ...config,
    dashboard: { ...config.dashboard, port: port ?? config.dashboard.port },
    log: { ...config.log, level: logLevel ?? config.log.level },
  };
}

function sourceNote(path: string | undefined, text: string | undefined): string {
  if (path === undefined) return `No ${CONFIG_FILE_NAME} found; using the defaults.`;
  return text?.trim() === ""
    ? `${path} is empty; using the defaults.`
    : `Configuration from ${path}.`;
}

function overrideNotes({ port, logLevel }: EnvSettings): readonly string[] {
  return [
    ...(port === undefined ? [] : [`dashboard.port is ${port} by KUROMAJUTSU_PORT.`]),
    ...(logLevel === undefined ? [] : [`log.level is ${logLevel} by KUROMAJUTSU_LOG_LEVEL.`]),
  ];
}
