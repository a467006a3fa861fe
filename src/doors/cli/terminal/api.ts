import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { nameCommands } from "../../../base/command-name.ts";
import { errorCode } from "../../../base/error-code.ts";
import { CHANGE_HEADER, KEYS_HEADER, LANGUAGE_HEADER } from "../../../contract/http-headers.ts";
import {
  requestPath,
  type RouteArguments,
  type RouteContract,
  type RouteInput,
} from "../../../contract/route-contract.ts";
import { visibleText } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { terminalHint } from "./hints.ts";

const problemShape = z.looseObject({
  code: z.string(),
  detail: z.string().default(""),
  hint: z.string().optional(),
});

/** The daemon has refused the request; the message says why and what to do. */
export class Problem extends Error {
  readonly code: string;

  constructor({ code, detail, hint }: z.infer<typeof problemShape>) {
    super(visibleText(hint ? `${detail}\n  → ${hint}` : detail));
    this.name = "Problem";
    this.code = code;
  }
}

/** The daemon does not answer; it may come back. */
export class Unreachable extends Error {}

/** A person has stopped the daemon, so the command ends too. */
export class DaemonStopped extends Error {}

/** The address of the daemon that follows one which no longer answers; rejects with DaemonStopped. */
export type Revive = () => Promise<string>;

/** A daemon that runs but never answers. */
const REPEAT_WITHIN_MS = 60_000;
const REPEAT_AFTER_MS = 100;

export type Api = {
  /** Changes when another daemon follows at another address. */
  readonly url: string;
  readonly token: string | undefined;
  readonly locale: Locale;
  /** Calls a route of src/contract/routes and checks its answer. */
  call<Contract extends RouteContract, Answer extends z.ZodType>(
    contract: Contract & { readonly answer: Answer },
    ...input: RouteArguments<RouteInput<Contract>>
  ): Promise<z.output<Answer>>;
};

export type ApiOptions = {
  readonly token?: string | undefined;
  readonly locale: Locale;
  /** How a person starts this program here, for the commands in hints. */
  readonly command?: string;
  /** The ticket for the vendor keys of this terminal. */
  readonly keyTicket?: () => Promise<string | undefined>;
  /** Without it a daemon that does not answer is an error. */
  readonly revive?: Revive;
};

/** A client for the REST API. */
export function createApi(firstUrl: string, options: ApiOptions): Api {
  const { token, locale, command = "kuromajutsu" } = options;
  let url = firstUrl;
  let reviving: Promise<string> | undefined;

  /** Calls that fail at the same time share one search. A stopped daemon stays stopped. */
  async function findNext(revive: Revive): Promise<void> {
    reviving ??= revive();
    url = await reviving;
    reviving = undefined;
  }

  /** Repeats a request only if the daemon cannot carry it out twice. */
  async function sendOn(request: Request): Promise<Answered> {
    const { revive } = options;
    const giveUpAt = Date.now() + REPEAT_WITHIN_MS;
    for (;;) {
      try {
        return await send(url, request, options);
      } catch (error) {
        if (!(error instanceof Unreachable) || !revive) throw error;
        await findNext(revive);
        if (!isRepeatable(request, error) || Date.now() > giveUpAt) throw error;
        await sleep(REPEAT_AFTER_MS);
      }
    }
  }

  return {
    get url() {
      return url;
    },
    token,
    locale,
    async call<Contract extends RouteContract, Answer extends z.ZodType>(
      contract: Contract & { readonly answer: Answer },
      ...[input]: RouteArguments<RouteInput<Contract>>
    ): Promise<z.output<Answer>> {
      const { method, path } = contract;
      const shape: Answer = contract.answer;
      const { params, query, body }: AnyInput = input ?? {};
      const target = requestPath(path, { ...(params && { params }), ...(query && { query }) });
      const key = method === "post" ? randomUUID() : undefined;
      const { ok, status, answer } = await sendOn({ method, target, body, key });
      if (ok) return shape.parse(answer);
      const problem = problemShape.safeParse(answer);
      if (problem.success) {
        const hint = terminalHint(problem.data, locale);
        throw new Problem({ ...problem.data, hint: hint && nameCommands(hint, command) });
      }
      throw new Error(`${method} ${target}: HTTP ${status}`);
    },
  };
}

type Request = {
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
  readonly key: string | undefined;
};

type Answered = { readonly ok: boolean; readonly status: number; readonly answer: unknown };

async function send(
  url: string,
  { method, target, body, key }: Request,
  { token, locale, keyTicket }: ApiOptions,
): Promise<Answered> {
  const ticket = await keyTicket?.();
  const headers = {
    [CHANGE_HEADER]: "1",
    [LANGUAGE_HEADER]: locale,
    ...(key && { "idempotency-key": key }),
    ...(ticket && { [KEYS_HEADER]: ticket }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  try {
    const response = await fetch(new URL(target, url), {
      method: method.toUpperCase(),
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // A daemon that dies here has sent the head only.
    const text = await response.text();
    return { ok: response.ok, status: response.status, answer: parsed(text) };
  } catch (error) {
    throw new Unreachable(`The daemon at ${url} does not answer.`, { cause: error });
  }
}

function isRepeatable({ method, key }: Request, { cause }: Unreachable): boolean {
  return method === "get" || key !== undefined || wasRefused(cause);
}

/** No daemon was listening, so none has got the request. */
function wasRefused(error: unknown): boolean {
  return error instanceof Error && errorCode(error.cause) === "ECONNREFUSED";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

type AnyInput = {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
};
