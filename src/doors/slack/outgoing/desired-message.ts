import { renderCard } from "../cards/render-card.ts";
import type { CardName, CardViews } from "../cards/views.ts";

/** What a message shows. */
export type MessageContent =
  | { readonly attachments: readonly unknown[] }
  | { readonly text: string; readonly blocks?: readonly unknown[] }
  | { readonly snippet: Snippet };

/** A file in the thread, for a text that is too long for a card. */
export type Snippet = {
  readonly filename: string;
  readonly title: string;
  readonly content: string;
};

/**
 * `person`: a person must decide or answer. `final`: the state stays as it is, or a person has just
 * caused it. Both go before `progress`.
 */
export type Urgency = "person" | "final" | "progress";

/** A message of a thread as it should look now. */
export type DesiredMessage = {
  readonly key: string;
  readonly urgency: Urgency;
  readonly content: MessageContent;
};

export function cardKey(taskId: string, kind: string, version: number | string): string {
  return `card:${taskId}:${kind}:${version}`;
}

export function desiredCard<Name extends CardName>(
  key: string,
  urgency: Urgency,
  name: Name,
  view: CardViews[Name],
): DesiredMessage {
  return { key, urgency, content: renderCard(name, view) };
}
