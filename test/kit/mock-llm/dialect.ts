import { existsSync } from "node:fs";
import type { Action, Cli, Fault, Turn } from "./script.ts";

/** A call of the model, in the words of its CLI. */
export type OwnCall = {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Codex only. */
  readonly form?: "function" | "custom" | "search";
  readonly namespace?: string;
};

/** A call in the conversation that a CLI sends. */
export type PastCall = Omit<OwnCall, "form" | "namespace"> & { readonly answer: string | null };

export type Conversation = Pick<Turn, "model" | "system" | "users"> & {
  readonly calls: readonly PastCall[];
  readonly offered: readonly Offered[];
};

export type Offered = {
  readonly name: string;
  readonly namespace?: string;
  /** Codex only: `function`, `custom` or a tool that OpenAI hosts. */
  readonly type?: string;
};

export type Acting = Exclude<Action, { readonly say: string } | { readonly fail: Fault }>;

export type Reply = {
  /** Makes the ids of the answer unique. */
  readonly number: number;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly OwnCall[];
};

export type Refused = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** One vendor's API, as one CLI uses it. */
export type Dialect = {
  readonly cli: Cli;
  /** Names of the CLI's own tools. */
  readonly tools: { readonly write: string; readonly edit: string; readonly shell: string };
  serves(path: string): boolean;
  read(body: unknown, path: string): Conversation;
  /** The CLI's call for an action; `isHidden`: a call that the CLI wants to see first. */
  callFor(action: Acting, conversation: Conversation): Omit<OwnCall, "id"> & { isHidden?: true };
  /** The answer as server-sent events. */
  frames(reply: Reply): readonly string[];
  /** The answer to a request that does not stream. */
  whole(reply: Reply): unknown;
  refusal(fault: Exclude<Fault, "cut">, resetsAt: number): Refused;
};

/** Both begin the id of a call, so that the kit knows its own calls again. */
export const CALL_ID = "call_";
export const HIDDEN_ID = "hidden_";

const PREFIXES = ["mcp__kuromajutsu__", "mcp_kuromajutsu_", "kuromajutsu_"];

/** The plain name of a tool of our MCP server; undefined for a tool of the CLI. */
export function plainName(name: string): string | undefined {
  const prefix = PREFIXES.find((each) => name.startsWith(each));
  return prefix === undefined ? undefined : name.slice(prefix.length);
}

/** Whether the CLI would refuse to change this file because the model has not read it. */
export function mustReadFirst(path: string, { calls }: Conversation): boolean {
  return existsSync(path) && !calls.some(({ input }) => JSON.stringify(input).includes(path));
}

export function frame(data: unknown, event?: string): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

/** A text in the pieces in which a model streams it. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,400}/g) ?? [];
}
