/** The distance from the anchor and from the edges of the window, in pixels. */
const gap = 4;

/** Places a fixed element below its anchor, or above it where there is no room. */
export function place(element: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const below = at.bottom + gap + height <= innerHeight;
  element.style.top = `${Math.max(gap, below ? at.bottom + gap : at.top - gap - height)}px`;
  element.style.left = `${Math.min(Math.max(gap, at.right - width), innerWidth - width - gap)}px`;
}
