import { useMemo } from "react";
import type { WireGatewayServer } from "../../../../src/contract/shapes/gateway.ts";
import { useGateway } from "../../api/system.ts";

export type Troubles = {
  /** Upstream servers without a connection. */
  readonly failed: readonly WireGatewayServer[];
  /** Tools that cannot be used until an admin accepts their new definition. */
  readonly quarantined: readonly { readonly server: string; readonly tool: string }[];
  readonly count: number;
};

/** What is wrong with the upstream servers; nothing while it is not known. */
export function useTroubles(): Troubles {
  const { data } = useGateway();
  return useMemo(() => troublesOf(data?.servers ?? []), [data]);
}

export function troublesOf(servers: readonly WireGatewayServer[]): Troubles {
  const failed = servers.filter(({ status }) => status === "failed");
  const quarantined = servers.flatMap(({ name, tools }) =>
    tools
      .filter(({ isQuarantined }) => isQuarantined)
      .map((tool) => ({ server: name, tool: tool.name })),
  );
  return { failed, quarantined, count: failed.length + quarantined.length };
}
