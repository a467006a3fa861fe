type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

/** What a response has not sent yet. It can be sent on another connection when the first is cut. */
export type Rest = {
  /** The next chunk; the same one until it is taken, because a cut may come while it is awaited. */
  next(): Promise<Read>;
  take(): void;
  cancel(reason?: unknown): Promise<void>;
  /** Whether all of it was sent, or the connection was cut. Another connection may send the rest. */
  readonly settle: (isSent: boolean) => void;
};

export function restOf(
  body: ReadableStream<Uint8Array>,
  settle: (isSent: boolean) => void = () => {},
): Rest {
  const reader = body.getReader();
  let awaited: Promise<Read> | undefined;
  return {
    next: () => (awaited ??= reader.read()),
    take: () => (awaited = undefined),
    cancel: (reason) => reader.cancel(reason),
    settle,
  };
}

export type SendRest = {
  /** Sent before everything else. */
  readonly first?: string | undefined;
  /** Called once, when all was sent, the source failed or the connection was cut. */
  readonly done: () => void;
  /** Called when the connection is cut. */
  readonly cut: (reason: unknown) => void | Promise<void>;
};

/** A body that sends the rest of a response. */
export function bodyOf(rest: Rest, { first, done, cut }: SendRest): ReadableStream<Uint8Array> {
  let isCut = false;
  async function next(): Promise<Read> {
    try {
      return await rest.next();
    } catch (error) {
      if (!isCut) done();
      throw error;
    }
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (first !== undefined) controller.enqueue(new TextEncoder().encode(first));
    },
    async pull(controller) {
      const { done: ended, value } = await next();
      if (isCut) return;
      rest.take();
      if (!ended) return controller.enqueue(value);
      done();
      controller.close();
      rest.settle(true);
    },
    async cancel(reason) {
      isCut = true;
      rest.settle(false);
      done();
      await cut(reason);
    },
  });
}
