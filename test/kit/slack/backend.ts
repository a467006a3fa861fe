import type { Fields } from "../../../src/base/narrow.ts";
import type { Answer, Delivery } from "./delivery.ts";
import type {
  ChannelKind,
  ShownMessage,
  SlackApp,
  SlackTeam,
  SlackUser,
  SlackView,
} from "./shapes.ts";

export type NewFile = {
  readonly name: string;
  readonly mimetype: string;
  readonly content: string | Buffer;
};

export type Draft = {
  /** With Slack's entities, such as `&lt;` and `<@U123>`. */
  readonly text: string;
  readonly threadTs?: string | undefined;
  readonly files?: readonly NewFile[] | undefined;
};

export type PostedMessage = { readonly shown: ShownMessage; readonly wire: Fields };

/** What a person needs from Slack. The fake and the emulator implement it. */
export type Backend = {
  readonly app: Pick<SlackApp, "id" | "events">;
  readonly team: Pick<SlackTeam, "id" | "name" | "domain" | "botUserId" | "botId">;
  newTs(): string;
  channel(id: string): Promise<{ readonly name: string; readonly kind: ChannelKind }>;
  directChannel(userId: string): Promise<string>;
  post(user: SlackUser, channel: string, draft: Draft): Promise<PostedMessage>;
  /** The message as it is stored now; undefined if it was deleted. */
  message(channel: string, ts: string): Promise<PostedMessage | undefined>;
  newTrigger(userId: string, viewId?: string): Promise<string>;
  newResponseUrl(target: {
    readonly channel: string;
    readonly userId: string;
    readonly threadTs?: string | undefined;
    readonly messageTs?: string | undefined;
  }): string;
  /** Shows what came with the acknowledgement of a modal. */
  afterSubmit(view: SlackView, answer: Answer): Promise<void>;
  close(view: SlackView): Promise<void>;
  /** Shows the text that came with the acknowledgement of a command. */
  afterCommand(userId: string, channel: string, answer: Answer): Promise<void>;
  home(userId: string): Promise<SlackView | undefined>;
  readonly deliver: (delivery: Delivery) => Promise<Answer>;
};
