import { onTestFinished } from "vitest";
import type { Log } from "../../src/app/ports/world.ts";
import { configSchema, type Config } from "../../src/contract/config/schema.ts";
import type { PersonRole } from "../../src/domain/people/person.ts";
import type { Task } from "../../src/domain/tasks/task.ts";
import { createHttpServer } from "../../src/doors/http/http-server.ts";
import { createSlackApi } from "../../src/doors/slack/api/create-slack-api.ts";
import { openSlackDoor, type OpenSlackDoor } from "../../src/doors/slack/open-slack-door.ts";
import type { SlackApi } from "../../src/doors/slack/slack-api.ts";
import type { ACore, TestCore } from "./core.ts";
import { aCoreWithPeople, type PeopleCore } from "./people.ts";
import { aFakeSlack, type FakeSlack } from "./slack/fake-slack.ts";
import type { ShownMessage } from "./slack/shapes.ts";
import type { Workspace } from "./slack/workspace.ts";
import { HR, upstreamWith } from "./task-flow.ts";
import { aTempDir } from "./tmp-dir.ts";

export type Mode = "socket" | "http";

export type ASlackDoor = {
  readonly mode?: Mode;
  /** People of `auth.users`; none: sign-in is off. */
  readonly people?: Readonly<Record<string, PersonRole>>;
  readonly slack?: FakeSlack;
  readonly core?: ACore;
  readonly inbox?: OpenSlackDoor["inbox"];
};

export type SlackDoorKit = Awaited<ReturnType<typeof aSlackDoor>>;

/** A real core behind the Slack door, and a Slack on loopback with the workspace `acme`. */
export async function aSlackDoor(options: ASlackDoor = {}) {
  const { mode = "socket", people = { alice: "operator", bob: "operator", vera: "viewer" } } =
    options;
  const slack = options.slack ?? (await aFakeSlack({ mode }));
  const acme = slack.workspace("acme");
  const workspaces: Workspace[] = [acme];
  const lines: string[] = [];
  const note = (message: string, fields?: unknown) =>
    void lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const made = await aCoreWithPeople(people, {
    now: Date.now(),
    upstream: upstreamWith(...HR),
    ...options.core,
    settings: { hasSlack: true, ...options.core?.settings },
  });
  const core: PeopleCore = { ...made, log };
  const settings: { people: Config["slack"]["people"] } = { people: [] };
  const tokenOf = async (team: string) => workspaces.find(({ id }) => id === team);
  const api = createSlackApi({
    accessOf: async (team) => {
      const found = await tokenOf(team);
      return found && { token: found.botToken.value, botUser: found.team.botUserId };
    },
    apiUrl: slack.apiUrl,
    clock: { now: () => Date.now() },
    log,
  });
  const dataDir = aTempDir();

  async function open() {
    const door = openSlackDoor({
      core,
      settings: () => ({ ...configSchema.parse({}).slack, mode, people: settings.people }),
      secrets: { appToken: slack.app.appToken, signingSecret: slack.app.signingSecret },
      api,
      tokenOf: async (team) => (await tokenOf(team))?.botToken.value,
      homeTeam: async () => acme.id,
      apiUrl: slack.apiUrl,
      dataDir,
      dashboardUrl: () => "https://kuro.example.com",
      ...(options.inbox && { inbox: options.inbox }),
    });
    onTestFinished(() => door.close());
    if (mode === "socket") await slack.sockets.connected(2);
    else slack.http.sendTo(await serve(door.events));
    return door;
  }

  const member = (name: string, person: string | null = name) => {
    const user = acme.person(name);
    if (person !== null) settings.people.push({ user: user.id, person });
    return user;
  };
  const alice = member("alice", people["alice"] ? "alice" : "local");
  const bob = member("bob", people["bob"] ? "bob" : null);
  const door = await open();
  return {
    slack,
    acme,
    workspaces,
    core,
    api,
    door,
    open,
    settings,
    dataDir,
    lines,
    alice,
    bob,
    member,
    channel: acme.channel("general", [alice, bob]),
    tasks: () => tasksOf(core),
    /** Posts a card of ours with these buttons. */
    card: (channel: string, thread: string, buttons: Readonly<Record<string, string>>) =>
      postCard(api, acme, { channel, thread, buttons }),
    /** The texts that only this user sees. */
    told: async (user: { readonly id: string }): Promise<readonly string[]> =>
      (await acme.ephemerals(user.id)).map(({ text }) => text),
  };
}

async function serve(answer: ((request: Request) => Promise<Response>) | undefined) {
  if (!answer) throw new Error("The door is not in HTTP mode.");
  const server = createHttpServer({ answer });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return `http://127.0.0.1:${port}/slack/events`;
}

async function tasksOf(core: TestCore): Promise<readonly Task[]> {
  return (await core.store.listTasks({ limit: 100 })).tasks.toReversed();
}

type Card = {
  readonly channel: string;
  readonly thread: string;
  readonly buttons: Readonly<Record<string, string>>;
};

async function postCard(
  api: SlackApi,
  team: Workspace,
  { channel, thread, buttons }: Card,
): Promise<ShownMessage> {
  const elements = Object.entries(buttons).map(([action_id, value]) => ({
    type: "button",
    text: { type: "plain_text", text: action_id },
    action_id,
    value,
  }));
  const attachments = [{ color: "#2196f3", blocks: [{ type: "actions", elements }] }];
  const args = { channel, thread_ts: thread, attachments };
  const { ts } = await api.call({ team: team.id, method: "chat.postMessage", args });
  const found = team.history(channel).find((each) => each.ts === ts);
  if (!found) throw new Error("The card was not posted.");
  return found;
}
