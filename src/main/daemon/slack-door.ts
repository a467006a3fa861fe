import type { Hono } from "hono";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { openSlackKey } from "../../adapters/slack-key.ts";
import type { Core } from "../../app/core.ts";
import type { AlertTarget } from "../../app/ports/alert-target.ts";
import type { Config } from "../../contract/config/schema.ts";
import { createSlackApi } from "../../doors/slack/api/create-slack-api.ts";
import { serveInstall } from "../../doors/slack/install/install-routes.ts";
import {
  createInstallations,
  type Installations,
} from "../../doors/slack/install/installations.ts";
import { createWorkspaceAccess } from "../../doors/slack/install/workspace-access.ts";
import { openSlackDoor } from "../../doors/slack/open-slack-door.ts";
import { createSlackAlertTarget } from "../../doors/slack/outgoing/alert-target.ts";
import { startSlackOutgoing } from "../../doors/slack/outgoing/start-slack-outgoing.ts";
import { EVENTS_PATH } from "../../doors/slack/setup/app-definition.ts";

export type OpenSlack = {
  readonly core: Core;
  readonly loaded: LoadedConfig;
  /** The newest configuration. */
  readonly settings: () => Config["slack"];
};

export type Slack = {
  /** Adds the routes for Slack and for browsers that install the app. */
  serve(app: Hono): void;
  readonly alertTarget: AlertTarget;
  /** Waits for requests of Slack that are being handled. */
  close(): Promise<void>;
};

/**
 * Connects to Slack. Loaded only when Slack is on. The tokens of all workspaces must be readable, or
 * the daemon does not start.
 */
export async function openSlack({ core, loaded, settings }: OpenSlack): Promise<Slack | undefined> {
  const { slack, config, dataDir } = loaded;
  if (slack.kind !== "on") return undefined;
  const { botToken, appToken, signingSecret, client, apiUrl } = slack.secrets;
  const { publicUrl } = config.slack;
  const installations = createInstallations({ core, key: openSlackKey(dataDir, process.env) });
  await installations.check();
  const access = createWorkspaceAccess({ botToken, apiUrl, installations });
  const api = createSlackApi({
    accessOf: (team) => access.accessOf(team),
    apiUrl,
    clock: core.clock,
    log: core.log,
    isLeader: () => core.isLeader(),
  });
  const people = () => settings().people;
  /** The workspace of settings that name none: there must be only one. */
  const homeTeam = async () => {
    const own = await access.ownWorkspace();
    if (own) return own.team;
    const [only, ...others] = await core.store.listSlackInstallations();
    return others.length === 0 ? only?.team : undefined;
  };
  const dashboardUrl = () => publicUrl;
  const door = openSlackDoor({
    core,
    settings: () => ({ ...settings(), mode: slack.mode }),
    secrets: { appToken, signingSecret },
    api,
    tokenOf: async (team) => (await access.accessOf(team))?.token,
    homeTeam,
    apiUrl,
    dataDir,
    dashboardUrl,
  });
  const outgoing = await startSlackOutgoing({
    core,
    api,
    people,
    boards: () => settings().boards,
    homeTeam,
    dashboardUrl,
  });
  const resuming: Installations = {
    ...installations,
    async put(installation, actor) {
      await installations.put(installation, actor);
      // Messages of tasks from before may be shown there again.
      await outgoing.resume();
    },
  };
  return {
    alertTarget: createSlackAlertTarget({ core, people, homeTeam, outgoing }),
    serve(app) {
      const { events } = door;
      if (events) app.all(EVENTS_PATH, (context) => events(context.req.raw));
      if (!client || publicUrl === undefined) return;
      const locale = () => core.settings.locale;
      serveInstall(app, { core, installations: resuming, client, apiUrl, publicUrl, locale });
    },
    async close() {
      await door.close();
      await outgoing.close();
    },
  };
}
