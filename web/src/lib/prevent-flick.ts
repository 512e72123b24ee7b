/**
 * For where fingers drag: to be attached to what they drag on. Browsers take a drag that ends quickly
 * for a flick, although nothing scrolls there, and lose the next tap, wherever it is. Of a movement
 * that the page has taken for itself they make no flick.
 */
export function preventFlick(node: Element): () => void {
  const take = (event: Event) => {
    if (event.cancelable) event.preventDefault();
  };
  node.addEventListener('touchmove', take, { passive: false });
  return () => node.removeEventListener('touchmove', take);
}
