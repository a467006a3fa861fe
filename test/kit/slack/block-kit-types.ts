import type { HomeView, KnownBlock, ModalView } from "@slack/types";

/** What `scripts/block-kit-schema.ts` writes a schema of. */
export type BlockKit = {
  readonly block: KnownBlock;
  readonly modal: ModalView;
  readonly home: HomeView;
};
