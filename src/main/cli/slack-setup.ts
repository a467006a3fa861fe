import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { slackSecrets } from "../../adapters/config/slack-state.ts";
import { openSlackKey } from "../../adapters/slack-key.ts";
import { systemClock } from "../../adapters/world.ts";
import { removeSlackWorkspace } from "../../app/people/slack-workspaces.ts";
import { explainUntrusted, untrustedOf } from "../../app/people/untrusted.ts";
import type { SlackInstallation } from "../../app/ports/slack-store.ts";
import { localeOfVariables } from "../../domain/locale.ts";
import { LOCAL_PERSON } from "../../domain/people/person.ts";
import type { OfflineSlack } from "../../doors/cli/cli.ts";
import type { InstalledWorkspaces, SlackSetup } from "../../doors/slack/doctor/finding.ts";
import { unseal } from "../../doors/slack/install/seal.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { findPlace } from "./find-place.ts";
import { loadConfigHere } from "./load-config-here.ts";
import { hasDatabase, type StorePlace, withStore } from "./with-store.ts";

/** What the doctor examines: the configuration as a daemon would use it, and this environment. */
export async function createSlackSetup(): Promise<SlackSetup> {
  const loaded = await loadConfigHere();
  const status = await askDaemon(findPlace(), "status");
  return {
    settings: loaded.config.slack,
    state: loaded.slack,
    secrets: slackSecrets(process.env),
    untrusted: untrustedSlack(loaded),
    daemonUrl: status?.url ?? null,
    installed: status
      ? await installedOf(status.url)
      : await installedIn({ dataDir: loaded.dataDir, settings: loaded.config.store }),
  };
}

function untrustedSlack({ trust }: LoadedConfig): string | null {
  const untrusted = untrustedOf(trust);
  const isAboutSlack = untrusted?.notUsed.some((what) => what.startsWith("slack ")) ?? false;
  return untrusted && isAboutSlack ? explainUntrusted(untrusted) : null;
}

async function installedOf(url: string | null): Promise<InstalledWorkspaces> {
  if (url === null) return [];
  const { createApi } = await import("../../doors/cli/terminal/api.ts");
  const { listSlackWorkspaces } = await import("../../contract/routes/slack.ts");
  const api = createApi(url, {
    token: process.env["KUROMAJUTSU_TOKEN"] || undefined,
    locale: localeOfVariables(process.env),
  });
  const { workspaces } = await api.call(listSlackWorkspaces);
  return workspaces.map(({ team, scopes }) => ({ team, scopes, token: "unknown" as const }));
}

async function installedIn(place: StorePlace): Promise<InstalledWorkspaces> {
  const key = openSlackKey(place.dataDir, process.env).read();
  return (await installations(place)).map(({ team, scopes, secret }) => {
    const value = key && unseal(key, team, secret);
    return { team, scopes, token: value === undefined ? "unreadable" : { value } };
  });
}

/** Opens the database itself, so no daemon may be running. */
export function createOfflineSlack(place: StorePlace): OfflineSlack {
  return {
    async list() {
      const all = await installations(place);
      return all.map(({ secret: _secret, at, ...installation }) => ({
        ...installation,
        installedAt: new Date(at).toISOString(),
      }));
    },
    async remove(team) {
      if (!hasDatabase(place)) return false;
      return withStore(place, (store) =>
        removeSlackWorkspace({ store, clock: systemClock }, LOCAL_PERSON.id, team),
      );
    },
  };
}

async function installations(place: StorePlace): Promise<readonly SlackInstallation[]> {
  if (!hasDatabase(place)) return [];
  return withStore(place, (store) => store.listSlackInstallations());
}
