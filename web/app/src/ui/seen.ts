/**
 * Calls fn once an element is in sight, or closer than margin pixels, unless the returned function
 * is called before.
 */
export function whenSeen(element: Element, fn: () => void, margin = 0): () => void {
  const seen = new IntersectionObserver(entries => {
    if (!entries.some(e => e.isIntersecting)) return;
    seen.disconnect();
    fn();
  }, { rootMargin: `${margin}px` });
  seen.observe(element);
  return () => seen.disconnect();
}
