import type { Duplex } from "node:stream";

/** Whose connection it is. */
export type Owner = { readonly id: string; readonly isPerson: boolean };

/** Without an owner each connection stands for itself. */
type Key = string | Duplex;

/** The places of known senders, and the connection to close where one sender has too many. */
export class KnownConnections {
  readonly #perOwner: number;
  readonly #withoutPeople: number;
  readonly #owners = new Map<Duplex, Owner | undefined>();
  readonly #bySender = new Map<Key, Set<Duplex>>();
  readonly #idle = new WeakSet<Duplex>();
  #notOfPeople = 0;

  constructor(max: number) {
    this.#perOwner = Math.max(1, Math.floor(max / 2));
    // A few places are left for people.
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

  /** It waits for its next request: to close it interrupts nothing. */
  setIdle(socket: Duplex, isIdle: boolean): void {
    if (isIdle) this.#idle.add(socket);
    else this.#idle.delete(socket);
  }

  /** What has to close so that the owner of this new one has no more than its share. */
  excessOf(added: Duplex): Duplex | undefined {
    const owner = this.#owners.get(added);
    if (!owner) return undefined;
    const own = this.#bySender.get(owner.id) ?? new Set();
    if (own.size > this.#perOwner) return this.#leastUseful(own, added);
    if (owner.isPerson || this.#notOfPeople <= this.#withoutPeople) return undefined;
    const [largest = own] = this.#largestFirst((one) => one?.isPerson === false);
    return this.#leastUseful(largest, added) ?? added;
  }

  /** Of the sender with the most connections, if any has more than one. */
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
