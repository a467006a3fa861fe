import { ConfigError } from "../../adapters/config/config-error.ts";
import { loadConfig, type LoadedConfig } from "../../adapters/config/load-config.ts";
import { findConfigFile, type FoundConfig } from "../../adapters/config/locate.ts";
import { inEach } from "../../domain/locale.ts";
import { takeDatabaseUrl } from "../process/database-url.ts";
import type { Serve } from "./serve.ts";

export type ConfigSource = {
  load(): Promise<LoadedConfig>;
  /** Loads the file that was loaded first, even if another one would be found by now. */
  reload(loaded: LoadedConfig): Promise<LoadedConfig>;
  /** The file was found by searching, so a person has to trust it. */
  needsTrust(loaded: LoadedConfig): boolean;
};

export function configSource(options: Serve): ConfigSource {
  const env = {
    ...process.env,
    ...takeDatabaseUrl(),
    ...(options.port === undefined ? {} : { KUROMAJUTSU_PORT: String(options.port) }),
  };
  const { bind } = options;
  const source = sourceOf(options, env);
  const found = source?.explicit === false;
  return {
    load: async () =>
      refuseWrongSlack(
        await loadConfig({
          path: source?.path,
          explicit: source?.explicit ?? false,
          found,
          env,
          bind,
        }),
      ),
    reload: async ({ path }) =>
      refuseWrongSlack(
        await loadConfig({ path: path ?? undefined, explicit: false, found, env, bind }),
      ),
    needsTrust: ({ path }) => found && path !== null,
  };
}

function sourceOf({ foundConfig }: Serve, env: NodeJS.ProcessEnv): FoundConfig | undefined {
  if (foundConfig === null) return undefined;
  if (foundConfig !== undefined) return { path: foundConfig, explicit: false };
  return findConfigFile(process.cwd(), env);
}

async function refuseWrongSlack(loaded: LoadedConfig): Promise<LoadedConfig> {
  if (loaded.slack.kind !== "wrong") return loaded;
  const { SLACK_PROBLEM_TEXTS } = await import("../../contract/slack-problems.ts");
  throw new ConfigError(
    loaded.slack.problems.map((problem) => ({
      text: inEach((locale) => SLACK_PROBLEM_TEXTS[locale][problem]),
      at: null,
    })),
  );
}
