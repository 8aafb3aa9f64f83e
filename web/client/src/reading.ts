/** The last message of the feed that a read marker must cover, with its number there. */
type Created = readonly [id: string, seq: number];

/**
 * Decides whether a read marker covers all messages that are shown up to the marked one. The feed has an order of
 * its own: of two messages sent at the same time, it may have the later one first. And the marked one may not be
 * in it yet, so that the server marked what came before.
 */
export class Reading {
  #marked = "";
  #seq = 0; // the marker's; 0 until the server has answered
  #created: Created | undefined; // the last message that the feed brought
  #last: Created | undefined; // the last of those that are shown up to the marked one

  /** Place returns the index of a message among those that are shown; -1 if it is not. */
  constructor(private readonly place: (id: string) => number) {}

  /** Begins a move of the marker to a message; to none if it is empty. */
  mark(message: string): void {
    this.#marked = message;
    this.#seq = 0;
    this.#last = undefined;
    if (this.#created && this.#created[0] !== message) this.created(...this.#created);
  }

  /** Takes the number of the marker from the server's answer. */
  moved(seq: number): void {
    this.#seq = seq;
  }

  /** Handles a message that the feed brings. */
  created(...created: Created): void {
    this.#created = created;
    const [id] = created;
    const at = this.place(id);
    if (id === this.#marked || (at >= 0 && at < this.place(this.#marked))) this.#last = created;
  }

  /** The message to which the marker must move again; undefined if it covers what it must, or if that is not known. */
  get missing(): string | undefined {
    return this.#seq && this.#last && this.#last[1] > this.#seq ? this.#last[0] : undefined;
  }
}
