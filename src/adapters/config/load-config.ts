import { join } from "node:path";
import type { SlackState } from "../../app/ports/slack-settings.ts";
import { defaultConfig } from "../../contract/config/defaults.ts";
import type { Config } from "../../contract/config/schema.ts";
import type { FileTrust } from "../../contract/shapes/trust.ts";
import { type Locale, localeOfVariables } from "../../domain/locale.ts";
import type { Role, RoleTool } from "../../domain/roles/role.ts";
import { ConfigError } from "./config-error.ts";
import { hashOf } from "./hash-of.ts";
import { CONFIG_FILE_NAME, dataDirFor, type Env } from "./locate.ts";
import type { ParsedConfig } from "./parse-config.ts";
import { readConfigFile } from "./read-config-file.ts";
import {
  type BindSetting,
  bindSetting,
  type EnvSettings,
  readEnv,
  whyNotExposed,
} from "./read-env.ts";
import { requireOwnFile } from "./require-own-file.ts";
import { resolveInternalRoles, resolveRoles, resolveTools } from "./resolve-roles.ts";
import { slackStateOf } from "./slack-state.ts";
import { storeSetting, type StoreSettings } from "./store-settings.ts";

export type LoadConfig = {
  readonly path: string | undefined;
  /** The file was named explicitly, so it must exist. */
  readonly explicit: boolean;
  /** The file was found by searching: its powers are used only if this user trusts it. */
  readonly found?: boolean;
  readonly env: Env;
  /** The address named on the command line. */
  readonly bind?: string | undefined;
};

/** A configuration whose language and database are decided. */
export type CompleteConfig = Omit<Config, "store"> & {
  readonly locale: Locale;
  readonly store: StoreSettings;
};

export type LoadedConfig = {
  /** The file, overridden by the environment. */
  readonly config: CompleteConfig;
  /** The language that the file names; null: requests decide. */
  readonly chosenLocale: Locale | null;
  readonly bind: string;
  readonly dataDir: string;
  readonly roles: readonly Role[];
  /** The roles that draft and execute tasks. */
  readonly internalRoles: readonly Role[];
  readonly tools: readonly RoleTool[];
  readonly path: string | null;
  /**
   * The file that edits change or create. Without a project file it is in the data directory: a
   * file that appeared in the project would select another data directory.
   */
  readonly file: string;
  /** Whether the file existed. */
  readonly isThere: boolean;
  /** The hash of the text of `file` as it was read. */
  readonly hash: string;
  readonly slack: SlackState;
  /** Which settings of the file need a person's trust; null: the file needs none. */
  readonly trust: FileTrust | null;
  /** One sentence per source of settings, for the log. */
  readonly notes: readonly string[];
};

/**
 * The environment overrides the file, and the file the defaults. Throws one ConfigError with every
 * problem.
 */
export async function loadConfig(options: LoadConfig): Promise<LoadedConfig> {
  const { path, explicit, found = false, env } = options;
  const fromEnv = readEnv(env);
  const file = path ?? join(dataDirFor(undefined, env), CONFIG_FILE_NAME);
  const needsTrust = found && path !== undefined;
  const text = await readFileOf(file, needsTrust, explicit, fromEnv);
  const { config: whole, problems } = await parse(text, file);
  const { config: fromFile, trust } =
    needsTrust && whole && text !== undefined
      ? await withTrust(whole, path, env)
      : { config: whole, trust: null };
  const bind = bindSetting(options.bind, fromEnv, (fromFile ?? defaultConfig()).server.bind);
  const exposed = whyNotExposed({ ...fromEnv, ...bind }, fromFile?.auth.users.length ?? 0);
  const database = await storeSetting(
    (fromFile ?? defaultConfig()).store,
    fromEnv.databaseUrl,
    file,
  );
  const all = [...fromEnv.problems, ...exposed, ...database.problems, ...problems];
  if (fromFile === undefined || all.length > 0) throw new ConfigError(all);

  const locale = fromFile.locale ?? localeOfVariables(env);
  const config = overlay(fromFile, fromEnv, { bind: bind.bind, locale, store: database.store });
  const slack = slackStateOf(config.slack, env);
  const used = text === undefined ? undefined : path;
  return {
    config,
    chosenLocale: fromFile.locale ?? null,
    bind: bind.bind,
    dataDir: dataDirFor(used, env),
    roles: resolveRoles(config),
    internalRoles: resolveInternalRoles(config),
    tools: resolveTools(config),
    path: used ?? null,
    file,
    isThere: text !== undefined,
    hash: hashOf(text ?? ""),
    slack,
    trust,
    notes: [
      sourceNote(file, text),
      ...overrideNotes(fromEnv, bind),
      ...database.notes,
      ...slackNotes(slack),
    ],
  };
}

/**
 * Loads the YAML library and the schema only if there is a file: a client may be waiting for the
 * start.
 */
async function parse(text: string | undefined, file: string): Promise<ParsedConfig> {
  if (text === undefined) return { config: defaultConfig(), problems: [] };
  const { parseConfig } = await import("./parse-config.ts");
  return parseConfig(text, file);
}

async function withTrust(config: Config, path: string, env: Env) {
  const [{ assessTrust }, { createTrustStore }] = await Promise.all([
    import("./config-trust.ts"),
    import("./trust-store.ts"),
  ]);
  const { weakened, ...assessed } = assessTrust(config, path, createTrustStore(env));
  const { command } = assessed.trust;
  const problems = weakened.map((what) => ({
    text: {
      en: `${path}: ${WEAKENED[what].en} If that is meant, run: ${command}`,
      ja: `${path}: ${WEAKENED[what].ja}意図したものなら、次を実行してください: ${command}`,
    },
    at: null,
  }));
  if (problems.length > 0) throw new ConfigError(problems);
  return assessed;
}

const WEAKENED = {
  people: {
    en: "auth.users had people when this file was trusted, and is empty now, so everyone on this machine could do everything.",
    ja: "このファイルを信頼したとき auth.users には人がいましたが、今は空です。このマシンの誰でも、何でもできてしまいます。",
  },
  rules: {
    en: "the rules about who decides (tasks.approval, tasks.approvals, tasks.unplannedTools) are not those that were trusted.",
    ja: "誰が判断するかの規則（tasks.approval、tasks.approvals、tasks.unplannedTools）が、信頼したときのものと違います。",
  },
  restrictions: {
    en: "agents were restricted when this file was trusted (disabled, access: read-only, isolation: worktree, mcpServers of executor, workspace.check), and one of these restrictions is gone or changed.",
    ja: "このファイルを信頼したときにあった制限（disabled、access: read-only、isolation: worktree、executor の mcpServers、workspace.check）が、なくなったか変わりました。",
  },
} as const;

async function readFileOf(
  path: string,
  needsTrust: boolean,
  explicit: boolean,
  fromEnv: EnvSettings,
) {
  try {
    if (needsTrust) requireOwnFile(path);
    return await readConfigFile(path, explicit);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([...fromEnv.problems, ...error.problems]);
  }
}

function overlay(
  config: Config,
  { port, logLevel }: EnvSettings,
  decided: Pick<CompleteConfig, "locale" | "store"> & { readonly bind: string },
): CompleteConfig {
  const { bind, locale, store } = decided;
  return {
    ...config,
    locale,
    store,
    server: { ...config.server, bind },
    dashboard: { ...config.dashboard, port: port ?? config.dashboard.port },
    log: { ...config.log, level: logLevel ?? config.log.level },
  };
}

function sourceNote(file: string, text: string | undefined): string {
  if (text === undefined) return `No ${CONFIG_FILE_NAME} found; using the defaults.`;
  return text.trim() === ""
    ? `${file} is empty; using the defaults.`
    : `Configuration from ${file}.`;
}

function overrideNotes(
  { port, logLevel }: EnvSettings,
  { bind, from }: BindSetting,
): readonly string[] {
  return [
    ...(from === "server.bind" ? [] : [`server.bind is ${bind} by ${from}.`]),
    ...(port === undefined ? [] : [`dashboard.port is ${port} by KUROMAJUTSU_PORT.`]),
    ...(logLevel === undefined ? [] : [`log.level is ${logLevel} by KUROMAJUTSU_LOG_LEVEL.`]),
  ];
}

function slackNotes(slack: SlackState): readonly string[] {
  if (slack.kind === "on") return [`Slack is on, in the mode ${slack.mode}.`];
  if (slack.kind === "wrong" || slack.unused.length === 0) return [];
  return [
    `Slack is off: ${slack.unused.join(" and ")} alone is not enough. \`kuromajutsu slack doctor\` says what is missing.`,
  ];
}
