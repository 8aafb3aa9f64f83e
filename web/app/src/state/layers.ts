// Back closes a dialog, or a panel that covers the page, and leaves the room beneath as it is. While
// any is open, the history has one more entry, for the same address: its state is `layer`.
import type { Router } from "./route.js";

const layer = "layer";

export class Layers {
  readonly #router: Router;
  /** What closes the open layers, the lowest first. */
  readonly #open: (() => void)[] = [];
  /** Whether the entry of closed layers is being taken back: others may open before it is. */
  #returning = false;

  constructor(router: Router) {
    this.#router = router;
    addEventListener("popstate", () => this.#onBack(), { capture: true }); // before the router takes notice
  }

  /** Lets Back call close, until the returned function is called. */
  open(close: () => void): () => void {
    this.#open.push(close);
    this.#align();
    return () => {
      const at = this.#open.indexOf(close);
      if (at >= 0) this.#open.splice(at, 1);
      setTimeout(() => this.#align()); // first another may take its place, or a link lead elsewhere
    };
  }

  /** Gives the history its entry for the open layers, or takes it back. */
  #align(): void {
    const is = history.state === layer;
    if (this.#router.leaving.value || is === (this.#open.length > 0)) return;
    this.#returning = is;
    if (is) this.#router.leave();
    else history.pushState(layer, "");
  }

  #onBack(): void {
    if (!this.#returning && !this.#router.leaving.value && history.state !== layer) this.#open.pop()?.();
    this.#returning = false;
    setTimeout(() => this.#align()); // others are open, or the person went forward to the entry of a closed one
  }
}
