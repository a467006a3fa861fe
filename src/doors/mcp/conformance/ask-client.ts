import { randomBytes } from "node:crypto";
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type InputRequests,
  type InputRequiredResult,
  type InputResponseView,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** The questions to the client, in rounds, before the call can be answered. */
export type Questions = {
  readonly rounds: readonly [InputRequests, ...InputRequests[]];
  /** The state of the round is sent to the client, signed, and must come back unchanged. */
  readonly sealed: boolean;
};

export type Asked =
  | { readonly kind: "ask"; readonly result: InputRequiredResult }
  | { readonly kind: "answered"; readonly answers: readonly InputResponseView[] };

const seal = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });

/**
 * Serves all protocol revisions: a modern client is answered "input required" and calls again; for an
 * older one the SDK sends the same questions over the session and calls this again.
 */
export async function askClient(questions: Questions, context: ServerContext): Promise<Asked> {
  const { rounds } = questions;
  const round = questions.sealed ? await openSeal(context) : 0;
  const asked = round === undefined ? undefined : rounds[round];
  if (round === undefined || asked === undefined) return ask(questions, 0, rounds[0]);
  const answers = answersTo(asked, context);
  if (answers.some(({ kind }) => kind === "missing")) return ask(questions, round, asked);
  const next = rounds[round + 1];
  return next ? ask(questions, round + 1, next) : { kind: "answered", answers };
}

async function ask({ sealed }: Questions, round: number, asked: InputRequests): Promise<Asked> {
  const requestState = sealed ? { requestState: await seal.mint({ round }) } : {};
  return { kind: "ask", result: inputRequired({ inputRequests: asked, ...requestState }) };
}

async function openSeal(context: ServerContext): Promise<number | undefined> {
  const state = context.mcpReq.requestState();
  if (typeof state !== "string") return undefined;
  try {
    return (await seal.verify(state, context)).round;
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
  }
}

function answersTo(asked: InputRequests, context: ServerContext): InputResponseView[] {
  return Object.keys(asked).map((key) => inputResponse(context.mcpReq.inputResponses, key));
}
