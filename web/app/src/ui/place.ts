/** The distance of a menu from its anchor and from the edges of the window, in pixels. */
const near = 4;

/** What a menu is near: an element, or the point of a pointer, which has no width. */
export interface Anchor { getBoundingClientRect(): DOMRect }

/** Places a fixed element below its anchor, or above it where there is no room. */
export function place(element: HTMLElement, anchor: Anchor, gap = near): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const below = at.bottom + gap + height <= innerHeight;
  const top = Math.max(gap, below ? at.bottom + gap : at.top - gap - height);
  element.style.top = `${top}px`;
  element.style.maxHeight = `${innerHeight - top - gap}px`; // for one that grows
  // a point is in none
  const pane = (anchor as Partial<Element>).closest?.(".room-pane, .panel")?.getBoundingClientRect().left ?? 0;
  const left = at.width && at.right - width > pane ? at.right - width : at.left; // it leaves the rooms free
  element.style.left = `${Math.min(Math.max(gap, left), innerWidth - width - gap)}px`;
}
