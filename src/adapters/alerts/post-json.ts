import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isForbidden } from "./forbidden-addresses.ts";

export type PostJson = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Link-local and metadata addresses that the receiver may have. */
  readonly allowAddresses: readonly string[];
  readonly signal: AbortSignal;
  /** Resolves names; default: the system's resolver. */
  readonly resolve?: Resolve;
};

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type Posted = { readonly status: number; readonly retryAfter: string | undefined };

/** The receiver has an address that we send nothing to. */
export class ForbiddenAddress extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`${address} is a link-local or metadata address.`);
    this.name = "ForbiddenAddress";
    this.address = address;
  }
}

/** Follows no redirect. The body of the answer is discarded: it is not needed, and it may be hostile. */
export function postJson(options: PostJson): Promise<Posted> {
  const { url, headers, body, allowAddresses, signal } = options;
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0 && isForbidden(literal, allowAddresses)) {
    return Promise.reject(new ForbiddenAddress(literal));
  }
  const { promise, resolve, reject } = Promise.withResolvers<Posted>();
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const outgoing = request(url, {
    method: "POST",
    headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    lookup: guardedLookup(options.resolve ?? lookup, allowAddresses),
    // A connection of its own: a kept one would skip the check of the address.
    agent: false,
    signal,
  });
  outgoing.on("error", reject);
  outgoing.on("response", (incoming) => {
    // The signal ends an answer that never ends.
    incoming.on("error", () => undefined);
    incoming.resume();
    resolve({ status: incoming.statusCode ?? 0, retryAfter: incoming.headers["retry-after"] });
  });
  outgoing.end(body);
  return promise;
}

/** Checks the addresses that the connection really uses, so a second DNS answer cannot differ. */
function guardedLookup(resolve: Resolve, allowed: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const forbidden = error ? undefined : addresses.find((each) => isBad(each, allowed));
      const [first] = error ? [] : addresses;
      if (error) callback(error, []);
      else if (forbidden) callback(new ForbiddenAddress(forbidden.address), []);
      else if (options.all === true || !first) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function isBad({ address }: LookupAddress, allowed: readonly string[]): boolean {
  return isForbidden(address, allowed);
}
