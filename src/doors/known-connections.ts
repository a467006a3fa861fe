import type { Duplex } from "node:stream";

export type Owner = { readonly id: string; readonly isPerson: boolean };

/** A connection without an owner counts as its own owner. */
type Key = string | Duplex;

/** Connections of identified senders; chooses which to close if one sender has too many. */
export class KnownConnections {
  readonly #perOwner: number;
  readonly #withoutPeople: number;
  readonly #owners = new Map<Duplex, Owner | undefined>();
  readonly #bySender = new Map<Key, Set<Duplex>>();
  readonly #idle = new WeakSet<Duplex>();
  #notOfPeople = 0;

  constructor(max: number) {
    this.#perOwner = Math.max(1, Math.floor(max / 2));
    // Some connections are reserved for people.
    this.#withoutPeople = max - Math.min(16, Math.floor(max / 8));
  }

  get size(): number {
    return this.#owners.size;
  }

  has(socket: Duplex): boolean {
    return this.#owners.has(socket);
  }

  ownerOf(socket: Duplex): Owner | undefined {
    return this.#owners.get(socket);
  }

  add(socket: Duplex, owner: Owner | undefined): void {
    this.#owners.set(socket, owner);
    if (owner?.isPerson === false) this.#notOfPeople++;
    const key = owner?.id ?? socket;
    const sockets = this.#bySender.get(key) ?? new Set();
    this.#bySender.set(key, sockets.add(socket));
  }

  delete(socket: Duplex): void {
    const owner = this.#owners.get(socket);
    if (!this.#owners.delete(socket)) return;
    if (owner?.isPerson === false) this.#notOfPeople--;
    const key = owner?.id ?? socket;
    const sockets = this.#bySender.get(key);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#bySender.delete(key);
  }

  /** An idle connection waits for its next request; closing it interrupts nothing. */
  setIdle(socket: Duplex, isIdle: boolean): void {
    if (isIdle) this.#idle.add(socket);
    else this.#idle.delete(socket);
  }

  /** The connection to close so that the owner of the added one keeps within its share. */
  excessOf(added: Duplex): Duplex | undefined {
    const owner = this.#owners.get(added);
    if (!owner) return undefined;
    const own = this.#bySender.get(owner.id) ?? new Set();
    if (own.size > this.#perOwner) return this.#leastUseful(own, added);
    if (owner.isPerson || this.#notOfPeople <= this.#withoutPeople) return undefined;
    const [largest = own] = this.#largestFirst((one) => one?.isPerson === false);
    return this.#leastUseful(largest, added) ?? added;
  }

  /** A connection of the sender with the most, if any sender has more than one. */
  fairVictim(): Duplex | undefined {
    const [largest] = this.#largestFirst(() => true);
    return largest && largest.size > 1 ? this.#leastUseful(largest) : undefined;
  }

  #largestFirst(isMeant: (owner: Owner | undefined) => boolean): Set<Duplex>[] {
    return [...this.#bySender.values()]
      .filter(([socket]) => socket && isMeant(this.#owners.get(socket)))
      .toSorted((one, other) => other.size - one.size);
  }

  #leastUseful(sockets: ReadonlySet<Duplex>, except?: Duplex): Duplex | undefined {
    const others = [...sockets].filter((socket) => socket !== except);
    return others.find((socket) => this.#idle.has(socket)) ?? others[0];
  }
}
