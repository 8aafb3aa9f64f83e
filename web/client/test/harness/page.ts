// The page of a browser around the clients of a process: its events, and whether it is visible.
import type { TestContext } from "node:test";

export class Page {
  private readonly events = new EventTarget();
  private readonly document = { visibilityState: "visible" };

  /** Shows a page to the clients that begin in this test. */
  static open(t: TestContext): Page {
    const page = new Page();
    const listen = page.events.addEventListener.bind(page.events);
    Object.assign(globalThis, { document: page.document, addEventListener: listen });
    t.after(() => {
      for (const name of ["document", "addEventListener"]) Reflect.deleteProperty(globalThis, name);
    });
    return page;
  }

  /** Dispatches an event of the window, with some fields. */
  fire(type: string, fields: object = {}): void {
    this.events.dispatchEvent(Object.assign(new Event(type), fields));
  }

  /** Hides the page, or shows it. */
  show(visible: boolean): void {
    this.document.visibilityState = visible ? "visible" : "hidden";
    this.fire("visibilitychange");
  }
}
