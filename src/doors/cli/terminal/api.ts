import { z } from "zod";
import { nameCommands } from "../../../base/command-name.ts";
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

export type Api = {
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
};

/** A client for the REST API. */
export function createApi(
  url: string,
  { token, locale, command = "kuromajutsu", keyTicket }: ApiOptions,
): Api {
  return {
    url,
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
      const ticket = await keyTicket?.();
      const headers = {
        [CHANGE_HEADER]: "1",
        [LANGUAGE_HEADER]: locale,
        ...(ticket && { [KEYS_HEADER]: ticket }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      const response = await fetch(new URL(target, url), {
        method: method.toUpperCase(),
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch((error: unknown) => {
        throw new Unreachable(`The daemon at ${url} does not answer.`, { cause: error });
      });
      const answer: unknown = await response.json().catch(() => ({}));
      if (response.ok) return shape.parse(answer);
      const problem = problemShape.safeParse(answer);
      if (problem.success) {
        const hint = terminalHint(problem.data, locale);
        throw new Problem({ ...problem.data, hint: hint && nameCommands(hint, command) });
      }
      throw new Error(`${method} ${target}: HTTP ${response.status}`);
    },
  };
}

type AnyInput = {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
};
