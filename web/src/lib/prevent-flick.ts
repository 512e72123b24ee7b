/**
 * Attach to an element that fingers drag on. Browsers take a drag that ends quickly for a flick,
 * even where nothing scrolls, and then lose the next tap anywhere on the page. They don't if the
 * page claims the movement for itself.
 */
export function preventFlick(element: Element): () => void {
  const claim = (event: Event) => {
    if (event.cancelable) event.preventDefault();
  };
  element.addEventListener('touchmove', claim, { passive: false });
  return () => element.removeEventListener('touchmove', claim);
}
