import { isRecord, type Fields } from "../../../../src/base/narrow.ts";
import type { SlackTeam, SlackView } from "../shapes.ts";
import { anId, randomHex, withBlockId } from "../world.ts";
import { ApiError, type ApiCall, type Method } from "./method.ts";
import { wireView } from "./wire.ts";

const MAX_STACK = 3;

export const viewMethods: Readonly<Record<string, Method>> = {
  "views.open": { scopes: [], run: (call) => openModal(call, false) },
  "views.push": { scopes: [], run: (call) => openModal(call, true) },
  "views.update": { scopes: [], run: updateView },
  "views.publish": { scopes: [], run: publishHome },
};

function openModal(call: ApiCall, isPush: boolean): Fields {
  const { team, world } = call;
  const view = viewOf(call, "modal");
  const trigger = takeTrigger(call);
  const stack = team.modals.get(trigger.userId) ?? [];
  if (isPush && stack.length >= MAX_STACK) throw new ApiError("push_limit_reached");
  checkExternalId(team, view);
  const opened = showModal(team, trigger.userId, view, isPush);
  return { view: wireView(team, world.app.id, opened) };
}

/** Puts a modal in front of the person. Without `isPush` it replaces all open ones. */
export function showModal(
  team: SlackTeam,
  userId: string,
  view: Fields,
  isPush: boolean,
): SlackView {
  const stack = isPush ? (team.modals.get(userId) ?? []) : [];
  const id = anId("V");
  const opened: SlackView = {
    id,
    type: "modal",
    userId,
    view: withBlockIds(view),
    hash: newHash(),
    rootId: stack[0]?.id ?? id,
    previousId: stack.at(-1)?.id ?? null,
    errors: {},
  };
  team.modals.set(userId, [...stack, opened]);
  return opened;
}

/** A trigger expires and can be exchanged once. */
function takeTrigger({ args, world, team }: ApiCall) {
  const trigger = world.triggers.get(args.need("trigger_id", "invalid_trigger_id"));
  if (!trigger || trigger.team !== team) throw new ApiError("invalid_trigger_id");
  if (trigger.isUsed) throw new ApiError("exchanged_trigger_id");
  if (Date.now() > trigger.expiresAt) throw new ApiError("expired_trigger_id");
  trigger.isUsed = true;
  return trigger;
}

function updateView(call: ApiCall): Fields {
  const { args, team, world } = call;
  const id = args.text("view_id");
  const externalId = args.text("external_id");
  const open = [...team.modals.values()].flat();
  const found = open.find((each) =>
    id ? each.id === id : each.view["external_id"] === externalId && externalId !== undefined,
  );
  if (!found) throw new ApiError("not_found");
  const hash = args.text("hash");
  if (hash !== undefined && hash !== found.hash) throw new ApiError("hash_conflict");
  const updated = replaceView(team, found, viewOf(call, "modal"));
  return { view: wireView(team, world.app.id, updated) };
}

export function replaceView(team: SlackTeam, found: SlackView, view: Fields): SlackView {
  const updated = { ...found, view: withBlockIds(view), hash: newHash(), errors: {} };
  setView(team, updated);
  return updated;
}

/** Shows what the app has refused below the inputs of the modal. */
export function showErrors(team: SlackTeam, found: SlackView, errors: Fields): void {
  setView(team, { ...found, errors });
}

function setView(team: SlackTeam, view: SlackView): void {
  const stack = team.modals.get(view.userId) ?? [];
  const next = stack.map((each) => (each.id === view.id ? view : each));
  team.modals.set(view.userId, next);
}

/** Closes one modal: the person sees the one below it again. */
export function closeModal(team: SlackTeam, { userId, id }: SlackView): void {
  const stack = team.modals.get(userId) ?? [];
  team.modals.set(
    userId,
    stack.filter((each) => each.id !== id),
  );
}

function publishHome(call: ApiCall): Fields {
  const { args, team, world } = call;
  const userId = args.need("user_id", "invalid_arguments");
  if (!team.users.has(userId)) throw new ApiError("invalid_arguments");
  const before = team.homes.get(userId);
  const hash = args.text("hash");
  if (hash !== undefined && before && hash !== before.hash) throw new ApiError("hash_conflict");
  const id = before?.id ?? anId("V");
  const home: SlackView = {
    id,
    type: "home",
    userId,
    view: withBlockIds(viewOf(call, "home")),
    hash: newHash(),
    rootId: id,
    previousId: null,
    errors: {},
  };
  team.homes.set(userId, home);
  return { view: wireView(team, world.app.id, home) };
}

function viewOf({ args, check }: ApiCall, type: "modal" | "home"): Fields {
  const view = args.object("view");
  const blocks = view?.["blocks"];
  if (!view || view["type"] !== type || !Array.isArray(blocks)) {
    const messages = [`[ERROR] \`view\` must be a ${type} with blocks`];
    throw new ApiError("invalid_arguments", { response_metadata: { messages } });
  }
  const problems = check(type, view);
  if (problems.length > 0) {
    throw new ApiError("invalid_arguments", { response_metadata: { messages: problems } });
  }
  if (JSON.stringify(view).length > 250_000) throw new ApiError("view_too_large");
  return view;
}

function checkExternalId(team: SlackTeam, view: Fields): void {
  const id = view["external_id"];
  if (typeof id !== "string" || id === "") return;
  const isTaken = [...team.modals.values()].flat().some((each) => each.view["external_id"] === id);
  if (isTaken) throw new ApiError("duplicate_external_id");
}

const newHash = (): string => `${Math.floor(Date.now() / 1000)}.${randomHex(4)}`;

function withBlockIds(view: Fields): Fields {
  const blocks = Array.isArray(view["blocks"]) ? view["blocks"].filter(isRecord) : [];
  return { ...view, blocks: blocks.map(withBlockId) };
}
