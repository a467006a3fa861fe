import { fieldsOf, textOf } from "../../../base/narrow.ts";
import { runCoalesced } from "../../../base/run-coalesced.ts";
import type { EventType } from "../../../contract/events/events.ts";
import { homeView, homeViewUnlinked } from "../cards/home.ts";
import type { Incoming } from "../incoming/context.ts";
import { listMyApprovals, listMyTasks } from "../incoming/my-work.ts";
import { localeOf } from "../incoming/place.ts";
import type { Sender } from "../people/slack-people.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { SlackCallFailed } from "../slack-api.ts";

/** Events that change what a home page shows. */
const CHANGES: readonly EventType[] = [
  "task:created",
  "task:updated",
  "execution:updated",
  "approval:requested",
  "approval:decided",
  "approval:expired",
  "approval:closed",
];
const REFRESH_MS = 5_000;
/** A page that was opened longer ago is no longer refreshed; opening it again renews it. */
const WATCH_MS = 30 * 60_000;
const MAX_WATCHED = 200;

export type Homes = {
  /** A person has opened their home page. */
  show(request: SlackRequest): Promise<void>;
  close(): void;
};

type Watched = { readonly sender: Sender; readonly openedAt: number; shown: string };

/** The home pages of people: their pending approvals and their tasks. */
export function createHomes(incoming: Incoming): Homes {
  const { core } = incoming;
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;

  async function publish(page: Watched): Promise<void> {
    const { team, user } = page.sender;
    const view = await viewFor(incoming, page.sender);
    const shown = JSON.stringify(view);
    if (shown === page.shown) return;
    await incoming.api.call({ team, method: "views.publish", args: { user_id: user, view } });
    page.shown = shown;
  }

  const refresh = runCoalesced(async () => {
    for (const [key, page] of watched) {
      if (core.clock.now() - page.openedAt > WATCH_MS) watched.delete(key);
      else await publish(page).catch((error: unknown) => ignoreRefused(error, key));
    }
  });

  function ignoreRefused(error: unknown, key: string): void {
    if (error instanceof SlackCallFailed && error.failure === "refused") watched.delete(key);
    core.log.debug("A home page in Slack was not refreshed.", { error: String(error) });
  }

  function refreshSoon(): void {
    if (timer !== undefined || watched.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      void refresh();
    }, REFRESH_MS);
    timer.unref();
  }

  const stop = core.events.on(CHANGES, refreshSoon);
  return {
    async show({ team, user, userTeam }) {
      const key = `${team}:${user}`;
      const page = { sender: { team, user, userTeam }, openedAt: core.clock.now(), shown: "" };
      watched.delete(key);
      watched.set(key, page);
      if (watched.size > MAX_WATCHED) watched.delete(watched.keys().next().value ?? "");
      await publish(page).catch((error: unknown) => {
        if (!(error instanceof SlackCallFailed)) throw error;
        ignoreRefused(error, key);
      });
    },
    close() {
      stop();
      clearTimeout(timer);
    },
  };
}

async function viewFor(incoming: Incoming, sender: Sender) {
  const nowhere = { channel: undefined, threadTs: undefined, messageTs: undefined };
  const locale = await localeOf(incoming, sender, nowhere);
  const view = { locale, dashboardUrl: incoming.dashboardUrl() };
  const found = await incoming.people.find(sender);
  if ("stranger" in found) return homeViewUnlinked(view);
  const { team } = sender;
  const { person } = found;
  return homeView({
    ...view,
    approvals: await listMyApprovals(incoming, team, person),
    running: await listMyTasks(incoming, team, person, "running"),
    recent: await listMyTasks(incoming, team, person, "over"),
  });
}

/** Which tab of the app a person has opened. */
export function openedTab({ body }: SlackRequest): string | undefined {
  return textOf(fieldsOf(body["event"])["tab"]);
}
