import { fieldsOf, isRecord, parseJson, textOf, type Fields } from "../base/narrow.ts";
import { NOTIFICATION_LINE } from "../domain/notifications/notification.ts";

export type ToolAnswer = {
  readonly text: string;
  readonly isError: boolean;
  /** The answer as data; empty if no part of it is an object. */
  readonly fields: Fields;
  /** The answer has the line that announces a notification. */
  readonly isNotifying: boolean;
  /** The connection broke and the call must not be repeated: it may or may not have run. */
  readonly isOutcomeUnknown: boolean;
};

type CallResult = {
  readonly content: readonly { readonly type: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
};

export function readAnswer(result: CallResult): ToolAnswer {
  const texts = result.content
    .map((block) => ("text" in block ? (textOf(block.text) ?? "") : ""))
    .filter((text) => text !== "");
  // A refusal has no structured content, and a gateway may put the notification line in a block of
  // its own.
  const objects = [result.structuredContent, ...texts.map(parseJson)].filter(isRecord);
  return {
    text: texts.join("\n"),
    isError: result.isError === true,
    fields: fieldsOf(objects[0]),
    isNotifying:
      objects.some(({ notification }) => notification === NOTIFICATION_LINE) ||
      texts.includes(NOTIFICATION_LINE),
    isOutcomeUnknown: false,
  };
}

export function noAnswer(text: string, { isOutcomeUnknown = false } = {}): ToolAnswer {
  return { text, isError: true, fields: {}, isNotifying: false, isOutcomeUnknown };
}
