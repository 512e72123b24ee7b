/** Giving a link to others. */

import { toasts } from './toasts.svelte';

/** Offer the system's own way to share; else copy the link and say so. */
export async function shareLink(
  { title, text, url }: { title?: string; text?: string; url: string },
  copiedMessage: string,
): Promise<void> {
  const written = text ? `${text} ${url}` : url;
  try {
    if (navigator.share) {
      await navigator.share({ url, ...(title ? { title } : {}), ...(text ? { text } : {}) });
    } else {
      await navigator.clipboard.writeText(written);
      toasts.show(copiedMessage);
    }
  } catch (error) {
    // The user has closed the system's sheet: that isn't an error.
    if (!(error instanceof DOMException && error.name === 'AbortError')) toasts.show(written);
  }
}
